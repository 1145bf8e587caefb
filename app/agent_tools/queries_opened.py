"""The statements about maps that are open for tools over the network. Values by binds."""

from sqlalchemy import text

# The published maps of a name, the newest first.
NAMED = text("""
select
    snapshot.id,
    snapshot.name,
    snapshot.schema_name,
    snapshot.checksum,
    snapshot.data_timestamp,
    encode(st_asbinary(snapshot.outline), 'hex') as outline,
    snapshot.outline_source,
    snapshot.layers,
    snapshot.layer_schema_version,
    snapshot.open_for_tools
from trigpoint.snapshot
where
    snapshot.state = 'published'
    and snapshot.name = :name
order by snapshot.data_timestamp desc nulls last, snapshot.id desc
""")

SET_OPEN = text("select trigpoint.set_open_for_tools(:id, :is_open)")
