# The demo's main job, the same in this checkout and inside containers: map → questions → proofs → runs → boards.
# The caller defines trigpoint (runs a command) and sets MAP (what `import` takes), MAP_NAME and ENDPOINT (its base URL).

# on_board DATASET LABEL: whether a finished run of that label is on the board already, so repeating asks nothing anew.
on_board() {
    trigpoint leaderboard "$1" --json 2>/dev/null \
        | "$PYTHON" -c 'import json, sys; rows = json.load(sys.stdin)["rows"]; sys.exit(not any(r["name"] == sys.argv[1] and r["rank"] for r in rows))' "$2" 2>/dev/null
}

# evaluate DATASET LABEL ARGUMENTS…: runs a solver unless its row is there.
evaluate() {
    dataset=$1 label=$2
    shift 2
    if on_board "$dataset" "$label"; then
        say "$label is on the board of $dataset already"
    else
        say "asking $label the questions of $dataset"
        trigpoint evaluate "$dataset" "$@" >&2
    fi
}

demo_steps() {
    say "importing the map"
    trigpoint import "$MAP" --name "$MAP_NAME" >&2
    for pair in gsqa:demo_gsqa urban_knowledge:demo_knowledge; do
        say "generating and proving ${pair#*:}"
        trigpoint generate "${pair%%:*}" --snapshot "$MAP_NAME" --per-template 25 --seed 1 --out "${pair#*:}" >&2
        trigpoint verify "${pair#*:}" >&2
    done
    trigpoint endpoint add scripted "$ENDPOINT" --model first_option >&2
    for dataset in demo_gsqa demo_knowledge; do
        evaluate "$dataset" random --solver random
        [ "$dataset" = demo_gsqa ] || evaluate "$dataset" options_only --solver options_only
        evaluate "$dataset" oracle --solver oracle
        evaluate "$dataset" scripted:first_option --solver direct --endpoint scripted
    done
}

demo_boards() {
    for dataset in demo_gsqa demo_knowledge; do
        trigpoint leaderboard "$dataset"
    done
}
