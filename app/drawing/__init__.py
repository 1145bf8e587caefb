"""Maps as pictures, drawn by mapnik from a snapshot, with a record of all that was drawn. mapnik is optional."""
