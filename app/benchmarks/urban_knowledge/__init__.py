"""UrbanGeoEval's Knowledge Module: questions with four options."""
