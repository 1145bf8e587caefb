"""The command line: `trigpoint …`; one module a command group, results on stdout, progress on stderr.

COMMANDS and GROUPS are the whole of it: a name, and where the function or typer group is that answers to it.
They are named, not imported: what one command needs (a web server, a geometry library) would cost all the
others a second at each start.
"""

PANELS = {
    "Maps": ("import", "plant", "snapshots", "snapshot", "facts", "schedule", "tool", "mcp", "router", "map"),
    "Data sets": (
        "generate",
        "load",
        "imported",
        "recheck",
        "verify",
        "reproduce",
        "export",
        "refresh",
        "churn",
        "templates",
        "review",
        "dispute",
    ),
    "Runs and answers": (
        "evaluate",
        "run",
        "episode",
        "endpoint",
        "scripted-endpoint",
        "submit",
        "submission",
        "session",
        "score-cases",
    ),
    "Boards": ("leaderboard", "compare", "report", "paper", "plot"),
    "Service": ("init", "serve", "worker", "doctor", "key", "url", "migrate", "backup", "restore", "version"),
}
"""How `trigpoint --help` groups the commands."""
OPEN = ("tool",)
"""Commands that take further options than those of their own, and read these themselves."""
COMMANDS: dict[str, str] = {
    "backup": "app.cli.backup:backup",
    "churn": "app.cli.churn:churn",
    "compare": "app.cli.compare:compare",
    "doctor": "app.cli.doctor:doctor",
    "episode": "app.cli.episode:episode",
    "evaluate": "app.cli.evaluate:evaluate",
    "export": "app.cli.export:export",
    "generate": "app.cli.generate:generate",
    "import": "app.cli.import_:import_",
    "init": "app.cli.init:init",
    "leaderboard": "app.cli.leaderboard:leaderboard",
    "load": "app.cli.load:load",
    "mcp": "app.cli.mcp:mcp",
    "migrate": "app.cli.migrate:migrate",
    "paper": "app.cli.paper:paper",
    "plant": "app.cli.plant:plant",
    "recheck": "app.cli.recheck:recheck",
    "refresh": "app.cli.refresh:refresh",
    "report": "app.cli.report:report",
    "reproduce": "app.cli.verify:reproduce",
    "restore": "app.cli.backup:restore",
    "scripted-endpoint": "app.cli.scripted_endpoint:scripted_endpoint",
    "score-cases": "app.cli.score_cases:score_cases",
    "serve": "app.cli.serve:serve",
    "snapshots": "app.cli.snapshots:snapshots",
    "submit": "app.cli.submit:submit",
    "tool": "app.cli.tool:tool",
    "url": "app.cli.url:url",
    "verify": "app.cli.verify:verify",
    "version": "app.cli.main:version",
    "worker": "app.cli.worker:worker",
}
GROUPS: dict[str, str] = {
    "dispute": "app.cli.dispute:dispute",
    "endpoint": "app.cli.endpoint:endpoint",
    "facts": "app.cli.facts:facts",
    "imported": "app.cli.imported:imported",
    "key": "app.cli.key:key",
    "map": "app.cli.map_:map_",
    "plot": "app.cli.plot:plot",
    "review": "app.cli.review:review",
    "router": "app.cli.router:router",
    "run": "app.cli.run:run",
    "schedule": "app.cli.schedule:schedule",
    "snapshot": "app.cli.snapshots:snapshot",
    "session": "app.cli.session:session",
    "submission": "app.cli.submission:submission",
    "templates": "app.cli.templates:templates",
}
