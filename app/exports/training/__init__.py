"""Training data for models that write GeoFlow graphs: questions with their graphs, and with graphs that are broken.

Made of public questions alone. Examples for training and for testing share neither a region nor a template, so that a
test tells what a model does on another map with questions of another form (`splitting`). `pairs` makes the lines that
Hugging Face's libraries read, and `files` the folder with its card.
"""
