"""Pictures for papers: boards, heat maps, radars and errors as SVG and PNG, from what boards are made of.

Only `trigpoint plot` loads this: matplotlib takes half a second. The same board gives the same bytes.
"""
