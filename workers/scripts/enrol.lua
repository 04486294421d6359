-- Say that a follower is alive, or gone (milliseconds 0), and forget those that fell silent.
-- KEYS  followers      ARGV  follower, milliseconds until it counts as gone
-- Answers how many are alive.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[2])), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
return redis.call('ZCARD', KEYS[1])
