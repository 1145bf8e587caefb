"""Tool plans: the calls of tools that lead to the answer of a question, as data.

A plan is JSON:

    {"calls": [{"tool": "place_search", "arguments": {"query": "Krone"}},
               {"tool": "place_search", "arguments": {"query": "Linde"}},
               {"tool": "distance", "arguments": {
                   "origin": {"$call": 0, "path": ["hits", {"first": {"name": "Krone", "type": "restaurant"}}, "id"]},
                   "destination": {"$call": 1, "path": "hits.0.id"}}}],
     "answer": {"distance": {"$call": 2, "path": "distance_m"}}}

A value in the arguments or in the answer is JSON, or one of these expressions, in which values may stand again:

| expression | its value |
|---|---|
| `{"$call": 0, "path": P}` | what the path P leads to in the result of call 0, which is an earlier one |
| the same with `"else": V` | V where the path leads nowhere |
| `{"$count": L}` | how many members the list L has |
| `{"$sum": [N, …]}` | the sum of the numbers |
| `{"$least": [{"say": S, "by": N}, …]}` | the S whose number N is the least; `$greatest` likewise |
| `{"$among": [V, …], "of": [W, …]}` | how many of the values V are among the values W |
| `{"$at_most": [N, …], "limit": M}` | how many of the numbers are at most M |
| `{"$minutes": N}` | so many seconds in whole minutes, rounded, one at least |
| `{"$clock": T, "add": N}` | the time N minutes after T; with `take`, N minutes before it |
| `{"$each": L, "of": F}` | the field F of each member of the list L |
| `{"$first": L, "of": F}` | the field F of the first member |
| `{"$where": L, "field": F, "above": N}` | the members whose number F is above N; `below` likewise |
| `{"$present": [{"say": S, "by": N}, …]}` | every S whose number N is above 0 |
| `{"$typed": L, "as": [T, …], "but": [I, …]}` | the members one of whose types is a T, but not those whose id is an I |
| `{"$point": O}` | the point of an object with `lat` and `lon`, as tools take it: "47.1,9.5" |
| `{"$only": [{"say": S, "by": V}, …], "equals": W}` | the S of the only member whose V equals W |

A time T is one of the clock, `09:10`, or a local time, `2024-09-17T09:10`.

A path is a list of steps: the name of a field, the place in a list (from 0), `{"first": {FIELD: VALUE, …}}` for the
first member of a list whose fields have these values, `{"least": FIELD}` and `{"greatest": FIELD}` for the member whose
number is the least or the greatest. A text of names and places joined by dots is a path, too. A path that leads
nowhere, and two members that are equally least, are faults of the plan.

Nothing in a plan is code: it is read by these rules alone, and limits keep it small (`reading`). `running` executes it.
"""
