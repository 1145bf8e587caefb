"""Reviews: what people say of a sample of a published version's questions; beside the version, never part of it."""
