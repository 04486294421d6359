-- Say that a follower is alive, or gone (milliseconds 0), and forget those that fell silent.
-- KEYS  followers      ARGV  follower, milliseconds until it counts as gone
-- Answers how many are alive.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
-- What only frees comes first: then a store at its memory limit bears the rest.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if ARGV[2] == '0' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[2])), ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
