-- Take webhooks of a shard to which something is due, for a while.
-- KEYS  1 due, 2 held      ARGV  1 now (ms), 2 until (ms), 3 how many at most
-- Answers their ids.
local hooks = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, hook in ipairs(hooks) do
  redis.call('ZADD', KEYS[1], ARGV[2], hook)
  redis.call('ZADD', KEYS[2], ARGV[2], hook)
end
return hooks
