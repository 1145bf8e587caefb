"""How many calls lead to the answer of a public question, how many lines of its context it needs, where its options are.

Plans and maps stay closed to the api role: it is told these numbers, and the places that public questions speak of.
"""

from alembic import op

revision = "0074"
down_revision = "0073"
branch_labels = None
depends_on = None

SOLUTIONS = """
create function trigpoint.solution_sizes(wanted_version bigint)
returns table (question text, calls integer, needed_lines integer)
language sql stable security definer set search_path = trigpoint, public, pg_temp as $$
    select
        question.id,
        max(jsonb_array_length(solution.value -> 'calls')) filter (where solution.kind = 'tool_plan'),
        max(jsonb_array_length(solution.value -> 'lines')) filter (where solution.kind = 'context')
    from question
    inner join dataset_version on question.version_id = dataset_version.id
    inner join solution on question.version_id = solution.version_id and question.id = solution.question_id
    where
        question.version_id = wanted_version
        and question.split = 'public'
        and dataset_version.state = 'published'
        and solution.kind in ('tool_plan', 'context')
    group by question.id
$$
"""
# Of the objects that options of public questions name: of an area, a point inside it.
PLACES = """
create function trigpoint.places_of_options(wanted_version bigint)
returns table (snapshot_id bigint, layer text, osm_key text, lon double precision, lat double precision)
language plpgsql stable security definer set search_path = trigpoint, public, pg_temp as $$
declare
    place record;
    one text;
begin
    for place in
        with named as (
            select
                question.snapshot_id,
                wrong.value ->> 'osm_key' as its_key
            from question
            inner join proof on question.version_id = proof.version_id and question.id = proof.question_id
            cross join lateral jsonb_array_elements(
                case when jsonb_typeof(proof.distractors) = 'array' then proof.distractors else '[]' end
            ) as wrong
            where question.version_id = wanted_version and question.split = 'public'
            union
            select
                question.snapshot_id,
                coalesce(right_one.value ->> 'osm_key', right_one.value #>> '{}')
            from question
            inner join gold on question.version_id = gold.version_id and question.id = gold.question_id
            cross join lateral jsonb_array_elements(
                case when jsonb_typeof(gold.value -> 'objects') = 'array' then gold.value -> 'objects' else '[]' end
            ) as right_one
            where
                question.version_id = wanted_version
                and question.split = 'public'
                and question.options is not null
                and gold.is_default
        )

        select
            snapshot.id as its_id,
            snapshot.schema_name,
            array_agg(named.its_key) as its_keys
        from named
        inner join snapshot on named.snapshot_id = snapshot.id
        where
            named.its_key is not null
            and snapshot.state = 'published'
            and exists (
                select 1 from dataset_version
                where dataset_version.id = wanted_version and dataset_version.state = 'published'
            )
        group by snapshot.id
    loop
        foreach one in array array['poi', 'aoi'] loop
            if to_regclass(format('%I.%I', place.schema_name, one)) is not null then
                return query execute format(
                    'select $1, %L, found.osm_key, st_x(inner_point.geom), st_y(inner_point.geom)'
                    ' from %I.%I as found'
                    ' cross join lateral st_pointonsurface(found.geom::geometry) as inner_point (geom)'
                    ' where found.osm_key = any($2)',
                    one, place.schema_name, one
                )
                using place.its_id, place.its_keys;
            end if;
        end loop;
    end loop;
end
$$
"""
FUNCTIONS = ("solution_sizes(bigint)", "places_of_options(bigint)")


def upgrade() -> None:
    op.execute(SOLUTIONS)
    op.execute(PLACES)
    for function in FUNCTIONS:
        op.execute(f"revoke execute on function trigpoint.{function} from public")
        op.execute(
            f"grant execute on function trigpoint.{function} to trigpoint_api, trigpoint_maintainer, trigpoint_worker"
        )


def downgrade() -> None:
    for function in reversed(FUNCTIONS):
        op.execute(f"drop function trigpoint.{function}")
