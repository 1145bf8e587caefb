"""How the tool plans of the questions are carried out: with the tools of agents, on the question's map."""

from app.agent_tools.tool_plans.running import solve_plan
from app.questions.tool_plans import carries_out_plans

carries_out_plans("mapeval", lacking=("Not_On_The_Map",))(solve_plan)
