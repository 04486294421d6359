-- Change a webhook that is still there.
-- KEYS  1 webhook      ARGV  1 number of fields that go, those fields, then field, value, ...
-- Answers 1, or 0 if there is no such webhook.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local gone = tonumber(ARGV[1])
for at = 2, gone + 1 do
  redis.call('HDEL', KEYS[1], ARGV[at])
end
for at = gone + 2, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
end
return 1
