"""What is asked about a drawn map, and how its record answers it."""
