-- Take over a partition: from now on no commit with an older token counts.
-- KEYS  checkpoints      ARGV  token, then every consumer
-- Answers the position of each consumer, or false if a newer follower was here.
local held = tonumber(redis.call('HGET', KEYS[1], 'token') or '0')
if held > tonumber(ARGV[1]) then
  return false
end
-- What only frees comes first, also if there is nothing: then a store at its memory limit bears the
-- rest, which follows from moves that it has taken.
redis.call('HDEL', KEYS[1], '')
redis.call('HSET', KEYS[1], 'token', ARGV[1])
local answer = {}
for at = 2, #ARGV do
  -- A new consumer holds the feed where it is from now on.
  redis.call('HSETNX', KEYS[1], ARGV[at], '0')
  answer[at - 1] = redis.call('HGET', KEYS[1], ARGV[at])
end
return answer
