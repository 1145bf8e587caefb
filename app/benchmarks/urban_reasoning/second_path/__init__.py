"""Second path of the Reasoning Module: printed values, rounded and reckoned again."""
