"""Keys of published questions, computed again from what each question says: agreed, contradicted, or not checked."""
