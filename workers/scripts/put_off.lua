-- Let a table that is over wait before it is archived, and say why if it cannot be.
-- KEYS  1 finished, 2 the tables that the archive has parked
-- ARGV  1 table, 2 when it is due again, 3 what is parked ("": nothing)
-- What only frees comes first, also if there is nothing: then a store at its memory limit bears the
-- rest.
redis.call('HDEL', KEYS[2], '')
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
return redis.call('ZADD', KEYS[1], 'XX', ARGV[2], ARGV[1])
