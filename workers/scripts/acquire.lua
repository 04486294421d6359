-- Take the lease of a block if nobody holds it.
-- KEYS  lease, fence      ARGV  follower, milliseconds
-- Answers the fencing token, or false.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return false
end
-- What only frees comes first: then a store at its memory limit bears the rest.
redis.call('UNLINK', KEYS[1])
local token = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. string.format('%.0f', token), 'PX', ARGV[2])
return token
