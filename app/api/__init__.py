"""REST `/v1` and the pages: `create_app` assembles them; everything is read as the api role."""
