"""Second path: which objects of the knowledge templates may be named in English."""

from app.questions.second_path.wording import may_be_named_in_english

may_be_named_in_english("urban_knowledge", "Retrieve_Coordinates", "poi", "poi")
may_be_named_in_english("urban_knowledge", "Calculate_Distance", "pois", "poi")
