"""GeoFlow graphs: the plan of an answer as a typed graph of spatial concepts and roles (Spatial-Agent, section 3).

`ontology` reads the concepts, roles and operators; `graphs` reads and writes plans, `notation` plans as lines;
`checking` names every violation of the five constraints; `projecting` turns steps into a graph of concepts and back;
`canonical` gives equal graphs one form; `corrupting` breaks well-formed graphs on purpose; `operators` run over the
tools of the map, and `executing` executes whole graphs.
"""
