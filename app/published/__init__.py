"""What anybody may see of what is published: maps, data sets, questions, templates. Read as the api role."""
