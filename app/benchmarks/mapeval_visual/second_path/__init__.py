"""Second path of questions about pictures: whole layers, and which objects a picture shows."""
