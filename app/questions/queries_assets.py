"""The statements about pictures. Values by binds."""

INSERT = """
insert into trigpoint.asset (sha256, media_type, size, width, height, licence, content, created_at)
values (
    %(sha256)s, %(media_type)s, %(size)s, %(width)s, %(height)s, %(licence)s, %(content)s, %(now)s
)
on conflict (sha256) do nothing
"""

LOAD = """
select
    asset.sha256,
    asset.media_type,
    asset.licence,
    asset.content
from trigpoint.asset
where asset.sha256 = any(%(hashes)s::text[])
order by asset.sha256
"""

LOAD_TO_SEND = """
select
    asset.media_type,
    asset.content,
    trigpoint.is_shown_asset(asset.sha256) as is_shown
from trigpoint.asset
where asset.sha256 = %(sha256)s
"""

TYPES = """
select
    asset.sha256,
    asset.media_type
from trigpoint.asset
where asset.sha256 = any(%(hashes)s::text[])
"""
