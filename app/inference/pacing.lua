-- One turn of one process at an endpoint that all share. Keys: state (window, pauses, allowances), lives (process → when
-- it counts as dead), flying (process → calls in flight). Gives: calls that may leave, seconds to wait for more (-1: until
-- places are given back), the window, the processes that live, the places that the process has, taken or not; none in a
-- pause. Time is the server's, so clocks of hosts may differ.
local process, in_flight = ARGV[1], tonumber(ARGV[2])
local answered, limited, pause, excess = tonumber(ARGV[3]), ARGV[4] == '1', tonumber(ARGV[5]), tonumber(ARGV[6])
local slots, concurrency = tonumber(ARGV[7]), tonumber(ARGV[8])
local request_rate, token_rate = tonumber(ARGV[9]), tonumber(ARGV[10])
local hint, life, shrink_again = tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local seconds, quick, steep = tonumber(ARGV[14]), tonumber(ARGV[15]), tonumber(ARGV[16])
local steepest = tonumber(ARGV[17])
local is_trial = ARGV[18] == '1' -- of what the endpoint bears: the window, which runs learned, does not hold for it
local first_wanted = 19

local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local function stored(field, otherwise)
    return tonumber(redis.call('HGET', KEYS[1], field) or '') or otherwise
end

for _, dead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
    redis.call('HDEL', KEYS[3], dead)
    redis.call('ZREM', KEYS[2], dead)
end
redis.call('ZADD', KEYS[2], string.format('%.6f', now + life), process)
redis.call('HSET', KEYS[3], process, in_flight)
local workers, flying = redis.call('ZCARD', KEYS[2]), 0
for _, calls in ipairs(redis.call('HVALS', KEYS[3])) do
    flying = flying + tonumber(calls)
end

local most = math.max(1, concurrency > 0 and concurrency or workers * slots)
local before = stored('most', most)
local window = stored('window', hint)
if window >= before then window = most end -- nothing had narrowed it: it grows with the workers
window = math.min(most, window)
local shrunk, open = stored('shrunk', 0), stored('open', 0)
-- The same as app/inference/window.py, whose comments say why.
local starting, best = stored('starting', 1), stored('best', math.huge)
local round, taken = stored('round', 0) + answered, stored('taken', 0) + seconds
if answered > 0 and round >= window then
    local mean = taken / round
    best = math.min(mean, best)
    if mean > math.max(quick, steep * best) then starting = 0 end
    if starting == 1 then
        window = math.min(most, window + round)
    elseif mean <= math.max(quick, steepest * best) then
        window = math.min(most, window + round / window)
    end
    round, taken = 0, 0
end
if limited and now - shrunk >= shrink_again then
    window, shrunk, starting, round, taken = math.max(1, window / 2), now, 0, 0, 0
end
open = math.max(open, now + pause)

local function filled(name, rate)
    local level = stored(name, 0) + math.max(0, now - stored(name .. '_at', now)) * rate
    return math.min(math.max(1, rate), level)
end
local requests, tokens = filled('requests', request_rate), filled('tokens', token_rate) - excess
local function missing(level, rate, need)
    if rate == 0 then return 0 end
    return math.max(0, (math.min(need, math.max(1, rate)) - level) / rate)
end

local room = is_trial and most or window
local share = is_trial and most or math.max(1, math.ceil(window / workers))
local free = math.min(math.max(1, math.floor(room)) - flying, share - in_flight)
local granted, wait = 0, -1
if open > now then
    wait = open - now
else
    for place = first_wanted, #ARGV do
        if granted >= free then break end
        local need = tonumber(ARGV[place])
        local seconds = math.max(missing(requests, request_rate, 1), missing(tokens, token_rate, need))
        if seconds > 0 then
            wait = seconds
            break
        end
        requests, tokens, granted = requests - 1, tokens - need, granted + 1
    end
end

redis.call('HSET', KEYS[3], process, in_flight + granted)
redis.call('HSET', KEYS[1], 'window', window, 'most', most,
    'starting', starting, 'round', round, 'taken', taken, 'best', best == math.huge and '' or best,
    'shrunk', string.format('%.6f', shrunk), 'open', string.format('%.6f', open),
    'requests', requests, 'requests_at', string.format('%.6f', now),
    'tokens', tokens, 'tokens_at', string.format('%.6f', now))
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, 900) end
local places = open > now and 0 or in_flight + math.min(granted, free)
return {granted, tostring(wait), tostring(window), workers, places}
