"""How MapEval's authors read replies, so that scores under their rules can be set beside ours (profile `published`)."""
