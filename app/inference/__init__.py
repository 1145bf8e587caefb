"""The chat client: calls to OpenAI-compatible endpoints, pacing, checks, and a scripted endpoint for tests."""
