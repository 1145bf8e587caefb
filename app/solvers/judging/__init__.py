"""The judge: rubrics as data, the prompt that a judging model gets, and the strict reading of its verdict. Pure."""
