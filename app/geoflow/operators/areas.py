"""Operators that find places along roads: those that one reaches in time, and those that lie on the way."""

from app.geoflow.operators.forms import CallForm, ParamForm, PortForm, one_call, read_attributes
from app.geoflow.operators.values import where_of

_SOUGHT = {name: ParamForm(name) for name in ("type", "keyword", "limit")} | {
    "attributes": ParamForm("attributes", read_attributes)
}
one_call(
    CallForm(
        "service_area",
        "service_area",
        {"center": PortForm("where", where_of)},
        {"minutes": ParamForm("minutes"), "metres": ParamForm("metres"), **_SOUGHT},
        lambda result, bound: {
            "members": result.get("places", []),
            "total": result.get("total", 0),
        },
        travels=True,
    )
)
one_call(
    CallForm(
        "detour_between",
        "detour_between",
        {name: PortForm(name, where_of) for name in ("origin", "destination")},
        _SOUGHT,
        lambda result, bound: {"members": result["places"], "direct_s": result["direct_s"]},
        travels=True,
    )
)
