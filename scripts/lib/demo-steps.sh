# The demo's main job, the same in this checkout and inside containers: map → questions → proofs → runs → boards.
# The caller defines trigpoint (runs a command) and sets MAP (what `import` takes), MAP_NAME and ENDPOINT (its base URL).
# Every command says so and does nothing where its work is done already.

# start_endpoint NAME PORT: a chat endpoint that follows a script and knows no gold, so the demo needs no model; in the
# background, `make down` stops it. Sets ENDPOINT.
start_endpoint() {
    port_file=$LOCAL/run/$1.port
    if ! background alive "$1"; then
        mkdir -p "$LOCAL/run" && rm -f "$port_file"
        background start "$1" "$VENV/bin/trigpoint" scripted-endpoint \
            --policy first_option --port "$2" --port-file "$port_file" >/dev/null
    fi
    wait_for "the scripted endpoint" "$LOCAL/run/$1.log" test -s "$port_file"
    ENDPOINT=http://127.0.0.1:$(cat "$port_file")/v1
}

background() { "$PYTHON" "$ROOT/scripts/lib/background.py" "$@"; }

demo_steps() {
    say "importing the map"
    trigpoint import "$MAP" --name "$MAP_NAME" >&2 || return 1
    for pair in gsqa:demo_gsqa urban_knowledge:demo_knowledge; do
        dataset=${pair#*:}
        say "generating questions: $dataset"
        trigpoint generate "${pair%%:*}" --snapshot "$MAP_NAME" --per-template 25 --seed 1 --out "$dataset" >&2 || return 1
        say "proving them again: $dataset"
        trigpoint verify "$dataset" >&2 || return 1
    done
    for dataset in demo_gsqa demo_knowledge; do
        say "asking solvers: $dataset"
        trigpoint evaluate "$dataset" --solver random >&2 || return 1
        # options_only answers from the options alone, and only the Knowledge templates have some
        [ "$dataset" = demo_gsqa ] || trigpoint evaluate "$dataset" --solver options_only >&2 || return 1
        trigpoint evaluate "$dataset" --solver oracle >&2 || return 1
        trigpoint evaluate "$dataset" --solver direct --endpoint "$ENDPOINT" >&2 || return 1
    done
    demo_reasoning
}

# A small board of the Reasoning Module, whose questions say everything that their answers need.
demo_reasoning() {
    say "generating questions: demo_reasoning"
    trigpoint generate urban_reasoning --snapshot "$MAP_NAME" --bank 2 --per-template 2 --seed 1 \
        --out demo_reasoning >&2 || return 1
    trigpoint verify demo_reasoning >&2 || return 1
    trigpoint evaluate demo_reasoning --solver oracle >&2 || return 1
    trigpoint evaluate demo_reasoning --solver direct --endpoint "$ENDPOINT" >&2 || return 1
}

demo_boards() {
    for dataset in demo_gsqa demo_knowledge demo_reasoning; do
        echo
        trigpoint leaderboard "$dataset" || return 1
    done
    echo
}
