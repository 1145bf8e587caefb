"""EVGeoQA: a place to charge, or to do another errand, with a second activity within walking distance."""
