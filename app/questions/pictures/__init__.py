"""Questions about maps that are drawn for them: frames, what is asked about a picture, and what a picture proves."""
