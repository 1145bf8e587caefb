"""The statement that tells which questions must stay out of training data."""

HIDDEN_ANYWHERE = """
select distinct question.id
from trigpoint.question
inner join trigpoint.dataset_version on question.version_id = dataset_version.id
where
    question.id = any(%(ids)s)
    and question.split = 'hidden'
    and dataset_version.state = 'published'
"""
"""Which of these questions are hidden in any published version."""
