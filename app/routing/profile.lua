-- The profile of all modes: it reads what app/routing/writing.py writes, and decides nothing by itself.
-- Ways: f, r: km/h along the line and against it; d: roads for their own places only.
-- Nodes: b: nobody passes.

api_version = 4

-- Seconds that it costs to enter roads for their own places only; equals ENTERING_S of the second path.
local ENTERING = 3000

function setup()
  return {
    properties = {
      -- Not `duration`: OSRM then takes times for weights, and turns would cost what they must not take.
      weight_name = 'access',
      max_speed_for_map_matching = 50,
      u_turn_penalty = 0,
      traffic_light_penalty = 0,
      continue_straight_at_waypoint = false,
      use_turn_restrictions = true
    },
    restrictions = { 'motorcar', 'motor_vehicle', 'vehicle' }
  }
end

function process_node(profile, node, result)
  result.barrier = node:get_value_by_key('b') == '1'
end

local function direction(kmh)
  if kmh then
    return mode.driving, kmh, kmh / 3.6
  end
  return mode.inaccessible, 0, 0
end

function process_way(profile, way, result)
  local forward, backward = tonumber(way:get_value_by_key('f')), tonumber(way:get_value_by_key('r'))
  result.forward_mode, result.forward_speed, result.forward_rate = direction(forward)
  result.backward_mode, result.backward_speed, result.backward_rate = direction(backward)
  if way:get_value_by_key('d') == '1' then
    result.forward_restricted = true
    result.backward_restricted = true
  end
end

function process_turn(profile, turn)
  turn.duration = 0
  turn.weight = 0
  if turn.target_restricted and not turn.source_restricted then
    turn.weight = ENTERING
  end
end

return { setup = setup, process_way = process_way, process_node = process_node, process_turn = process_turn }
