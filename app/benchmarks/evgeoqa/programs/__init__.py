"""What is asked of routers for questions of EVGeoQA."""
