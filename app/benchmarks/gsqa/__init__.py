"""GS-QA: open questions over places, areas and regions."""
