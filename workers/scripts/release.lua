-- Give up a lease that is still held.
-- KEYS  lease      ARGV  follower and token as acquired
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
