"""Gold of questions about pictures, from the rows of the map's tables that the picture shows."""
