"""Wrong options of questions about pictures, beside the generic ones."""
