"""UrbanGeoEval's Reasoning Module: tasks whose context says everything that the answer needs."""
