"""Judge studies: people mark a sample of a run's responses by the judge's rubric; how far people and judges agree."""
