"""Keys of the Knowledge Module's questions, made from the rows of their SELECTs."""
