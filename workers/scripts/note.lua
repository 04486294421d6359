-- Hold a partition's feed from its head on, for a projection that is rebuilt.
-- KEYS  counters, checkpoints      ARGV  field
-- Answers the head.
local head = redis.call('HGET', KEYS[1], 'head') or '0'
redis.call('HSET', KEYS[2], ARGV[1], head)
return head
