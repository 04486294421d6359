-- Let messages wait to be sent to a webhook; newer ones of the same kind and table take their place.
-- KEYS  1 webhook, 2 pending, 3 due, 4 held
-- ARGV  1 webhook, 2 now (ms), then of each message: field, version, body
-- A pending message is "<version> <due> <attempts> <first> <body>"; repeats change nothing.
-- Answers 1, or 0 if there is no such webhook or it is disabled.
local told = redis.call('HMGET', KEYS[1], 'owner', 'disabled', 'failures')
if not told[1] or told[2] then
  return 0
end
-- What only frees comes first, also if there is nothing: then a store at its memory limit bears the
-- rest, which follows from moves that it has taken.
redis.call('HDEL', KEYS[2], '')
local now = tonumber(ARGV[2])
for at = 3, #ARGV, 3 do
  local known = redis.call('HGET', KEYS[2], ARGV[at])
  if not known or tonumber(string.match(known, '^%d+')) < tonumber(ARGV[at + 1]) then
    local value = string.format('%s %s 0 %s %s', ARGV[at + 1], ARGV[2], ARGV[2], ARGV[at + 2])
    redis.call('HSET', KEYS[2], ARGV[at], value)
  end
end
-- Whoever is sending to it looks again at the end; a receiver that fails is left alone meanwhile.
local due = redis.call('ZSCORE', KEYS[3], ARGV[1])
local held = tonumber(redis.call('ZSCORE', KEYS[4], ARGV[1]) or '0')
local failing = tonumber(told[3] or '0') > 0
if held <= now and (not due or (tonumber(due) > now and not failing)) then
  redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
end
return 1
