"""Questions stage: reads a snapshot and templates, writes proved data set versions."""
