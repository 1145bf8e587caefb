"""The questions answered again from whole layers, without the SQL of their templates."""
