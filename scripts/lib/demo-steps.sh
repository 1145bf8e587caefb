# The demo's main job, the same in this checkout and inside containers: map → questions → proofs → runs → boards.
# The caller defines trigpoint (runs a command) and sets MAP (what `import` takes), MAP_NAME and ENDPOINT (its base URL).
# Every command says so and does nothing where its work is done already.

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
}

demo_boards() {
    for dataset in demo_gsqa demo_knowledge; do
        echo
        trigpoint leaderboard "$dataset" || return 1
    done
    echo
}
