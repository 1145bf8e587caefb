"""Predictions stage: runs cut into leased batches, worked and swept; reads questions, writes steps and predictions."""
