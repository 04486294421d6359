-- Keep a lease that is still held.
-- KEYS  lease      ARGV  follower and token as acquired, milliseconds
-- Answers 1, or 0 if it is lost.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
