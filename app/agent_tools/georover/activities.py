"""Which places Search_Nearby_POI tells of: those where one can do what questions of the benchmark `evgeoqa` ask for.

As in the paper, agents see the places that the data set knows, and not each bench and letter box. A test compares the
classes with those of the benchmark's pick.
"""

from typing import Final

ACTIVITY_CLASSES: Final = (
    "restaurant fast_food cafe bar biergarten nightclub pub guest_house hostel hotel motel supermarket convenience"
    " kiosk bakery pastry department_store mall fitness_centre ice_rink sports_centre sports_hall stadium garden park"
    " art_gallery gallery museum cinema theatre attraction theme_park viewpoint zoo bank pharmacy clinic doctor doctors"
    " hospital beauty hairdresser massage sauna spa college school university library post_office government townhall"
    " car_repair car_wash"
).split()
