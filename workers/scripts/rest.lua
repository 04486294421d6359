-- Give a webhook back after sending, to be taken again when the next message is due.
-- KEYS  1 webhook, 2 pending, 3 due, 4 held, 5 told
-- ARGV  1 webhook, 2 not before (ms), 3 why it is disabled ("": it is not)
redis.call('ZREM', KEYS[4], ARGV[1])
local there = redis.call('EXISTS', KEYS[1]) == 1
if there and ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'disabled', ARGV[3])
end
if not there or redis.call('HEXISTS', KEYS[1], 'disabled') == 1 then
  redis.call('DEL', KEYS[2], KEYS[5])
  return redis.call('ZREM', KEYS[3], ARGV[1])
end
local soonest
for _, message in ipairs(redis.call('HVALS', KEYS[2])) do
  local due = tonumber(string.match(message, '^%d+ (%d+)'))
  if not soonest or due < soonest then
    soonest = due
  end
end
if not soonest then
  return redis.call('ZREM', KEYS[3], ARGV[1])
end
local due = math.max(soonest, tonumber(ARGV[2]))
return redis.call('ZADD', KEYS[3], string.format('%.0f', due), ARGV[1])
