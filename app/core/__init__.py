"""Settings, errors, logging, clock, seeds and identities: what every stage stands on."""
