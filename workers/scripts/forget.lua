-- Remove from an outbox what was delivered, unless newer news took its place.
-- KEYS  outbox      ARGV  field, value, field, value, ...
for at = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[at]) == ARGV[at + 1] then
    redis.call('HDEL', KEYS[1], ARGV[at])
  end
end
return 1
