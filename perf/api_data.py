"""A large data set for the benchmark of REST, written by a few statements: what its questions say is of no matter.

Every tenth question is hidden; 100 templates; places on a grid, every 5,000th of a rare class; ten runs on the board.
"""

MADE = """
insert into trigpoint.snapshot (
    name, schema_name, state, source, checksum, data_timestamp, outline, outline_source, layers, layer_schema_version,
    created_at, published_at
)
values (
    'bench', 'osm_bench_20260101_1', 'published', 'bench.osm.pbf', repeat('0', 64), '2026-01-01Z',
    public.st_multi(public.st_makeenvelope(9, 47, 10, 48, 4326)), 'box', '{}', 2, now(), now()
);
insert into trigpoint.dataset (name, benchmark, created_at) values ('bench', 'urban_knowledge', now());
insert into trigpoint.dataset_version (
    dataset_id, number, seed, hidden_fraction, recipe, templates, engine_versions, licence, canary, created_at
)
select id, 1, 1, 0.1, '{}', '{}', '{}', '{"attribution": "© OpenStreetMap contributors"}', gen_random_uuid(), now()
from trigpoint.dataset;
insert into trigpoint.dataset_snapshot (version_id, position, snapshot_id) values (1, 0, 1);
insert into trigpoint.template (benchmark, name, version, body_hash, header, body)
values ('urban_knowledge', 'Find_Nearest_POI', 1, 'x', '{}', 'select 1');
"""
QUESTIONS = """
insert into trigpoint.question (
    version_id, id, position, template_id, template, template_version, snapshot_id, prompt, options, answer_type,
    scorer, split, locale, phrasing, prompt_hash, revision
)
select
    1,
    md5(number::text),
    number,
    1,
    'T' || number * 100 / %(count)s,
    1,
    1,
    jsonb_build_array(
        jsonb_build_object('type', 'text', 'text', 'Which of these places is nearest to place ' || number || '?')
    ),
    jsonb_build_array('Adler ' || number, 'Krone ' || number, 'Linde ' || number, 'Bohne ' || number),
    'option',
    'option',
    case when number %% 10 = 0 then 'hidden' else 'public' end,
    'en',
    0,
    md5('prompt' || number),
    md5('revision' || number)
from generate_series(0, %(count)s - 1) as number
"""
FOOTPRINTS = """
insert into trigpoint.footprint (
    version_id, question_id, area, classes, osm_keys, name_keys, fact_ids, uses_outline
)
select
    1,
    md5(number::text),
    public.st_setsrid(
        public.st_buffer(public.st_makepoint(9 + number %% 1000 * 0.001, 47 + number / 1000 * 0.005), 0.002, 2), 4326
    ),
    array[case when number %% 5000 = 7 then 'poi:rare' else 'poi:restaurant' end],
    '{}',
    '{}',
    '{}',
    false
from generate_series(0, %(count)s - 1) as number
"""
BOARD = """
insert into trigpoint.run (
    version_id, solver, solver_version, label, seed, sampling, presentation, status, total, created_at, finished_at
)
select 1, 'direct', 1, 'model ' || number, 0, '{}', '{}', 'complete', %(count)s, now(), now()
from generate_series(1, 10) as number;
"""
AGGREGATES = """
insert into trigpoint.board_aggregate (
    run_id, version_id, profile, scope, scorer_version, n, score, low, high, interval, states
)
select
    run.id, 1, %(profile)s, scope.name, %(profile_version)s, scope.n, 0.4, 0.39, 0.41, 'wilson 95', '{"correct": 1}'
from trigpoint.run
cross join (
    select 'all' as name, %(count)s as n
    union all
    select 'template:T' || number, %(count)s / 100 from generate_series(0, 99) as number
) as scope
"""
STANDINGS = """
insert into trigpoint.run_standing (
    run_id, profile, version_id, layout, digest, calls, prompt_tokens, completion_tokens
)
select run.id, %(profile)s, 1, %(layout)s, md5(run.id::text), 0, 0, 0
from trigpoint.run
"""
COMPARISONS = """
insert into trigpoint.run_comparison (
    run_id, other_id, profile, scope, version_id, scorer_version, n, difference, low, high, p, detectable, templates,
    places
)
select
    one.run_id, other.run_id, %(profile)s, one.scope, 1, %(profile_version)s, one.n, 0, -0.01, 0.01, 1, 0.02, 100, 1000
from trigpoint.board_aggregate as one
inner join trigpoint.board_aggregate as other on one.scope = other.scope and one.run_id < other.run_id
"""
PUBLISH = """
update trigpoint.dataset_version set state = 'published', published_at = now();
analyze trigpoint.question;
analyze trigpoint.footprint;
analyze trigpoint.run_comparison;
"""
GOLD = """
insert into trigpoint.gold (version_id, question_id, is_default, value)
select
    1,
    md5(number::text),
    true,
    jsonb_build_object(
        'index', number %% 4,
        'text', (array['Adler ', 'Krone ', 'Linde ', 'Bohne '])[number %% 4 + 1] || number,
        'objects', jsonb_build_array('n' || number)
    )
from generate_series(0, %(count)s - 1) as number;
"""
PROOFS = """
insert into trigpoint.proof (
    version_id, question_id, kind, sql, binds, derive, parameters, snapshots, evidence, margin, distractors, second_path
)
select
    1, md5(number::text), 'sql', 'select 1', '{}', 'none', '{}', '[]', '[]', '{}', '[]', '{}'
from generate_series(0, %(count)s - 1) as number
"""
