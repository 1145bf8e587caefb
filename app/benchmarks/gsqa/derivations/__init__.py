"""Gold of GS-QA's questions, made from the rows of their SELECTs."""
