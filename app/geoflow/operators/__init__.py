"""Operators run: what each operator of the ontology does with values, over the tools of the map.

Interface for whoever makes or executes graphs:

- A `Value` (base.py) has the type of a concept and `data`: the fields of the concept's signature. What a tool said
  stands whole under `result` beside them: the value of `directions` has `routes`, and `result.origin.name`, too.
  Coordinates are `lon` and `lat`, distances metres, durations seconds.
- `find_work(op)` gives what runs an operator: a generator that yields the calls of tools that it `Asked` for, is sent
  their outcomes, and returns a value for each concept that the operator gives. It raises OperatorFault where there is
  no value; `stage` says whether the graph, a tool or the data is to blame.
- `forms.FORMS` is the table of operators that are one call of a tool: which port becomes which argument, which
  parameter becomes which argument, and which fields the value has. `forms.operators_calling("nearby")` finds them by
  tool. So a call of a stored tool plan becomes a step: each argument is a parameter (a literal) or a port (bound to a
  concept that another step makes, or that has the literal as its name or attributes: `value_of_source` in values.py).
- `calculate` and its relatives (calculate_place, calculate_set, calculate_field, calculate_time; they differ in what
  they give) compute an expression of tool plans (app.agent_tools.tool_plans), which stands as JSON text in the
  parameter `expression`: `{"$call": 0, "path": ["result", "places", 0, "name"]}` begins at the first concept of the
  port `values`. The value has the outcome as `value`, any JSON.
- `geocode` takes the first hit that is called exactly as was asked (and has the type of its parameter `type`, if
  any), else the best one; all hits are in `result.hits`.
"""
