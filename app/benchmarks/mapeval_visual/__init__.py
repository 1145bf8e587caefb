"""MapEval Visual: questions about pictures of maps."""
