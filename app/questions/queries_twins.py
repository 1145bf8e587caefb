"""The statements of fresh twins. All that they read of single questions is of public ones. Values by binds."""

TWINNED = """
select
    question.id,
    question.template,
    gold.kind as gold_kind,
    question.popularity,
    proof.parameters
from trigpoint.question
inner join trigpoint.gold
    on
        question.version_id = gold.version_id
        and question.id = gold.question_id
        and gold.is_default
inner join trigpoint.proof
    on
        question.version_id = proof.version_id
        and question.id = proof.question_id
where
    question.version_id = %(version_id)s
    and question.split = 'public'
    and proof.kind in ('sql', 'program')
order by question.position
"""

ASKED = """
select distinct question.id
from trigpoint.dataset_version as this
inner join trigpoint.dataset_version as earlier
    on
        this.dataset_id = earlier.dataset_id
        and this.number >= earlier.number
inner join trigpoint.question on earlier.id = question.version_id
where this.id = %(version_id)s
order by question.id
"""

CANARY = "select canary from trigpoint.dataset_version where id = %(version_id)s"
