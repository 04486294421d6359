-- Let a table leave the store that the archive has: all of it in one moment, its head aside.
-- KEYS  1 meta, 2 events, 3 commands, 4 finished, 5 checkpoints, 6 counters, then of each consumer
--       the tables it parked, then the documents beside the table
-- ARGV  1 table, 2 version, 3 hash, 4 number of consumers, then the consumers; the first of them
--       is the archive's own
-- Answers "archived"; or, with nothing changed, "other" (it is not what the archive has), "behind"
-- (a follower may still draw it), "parked" or "rebuilt" (so may a projection that is mended, or
-- built anew).
local head = redis.call('HMGET', KEYS[1], 'version', 'hash', 'phase')
if head[1] ~= ARGV[2] or head[2] ~= ARGV[3] or head[3] ~= 'over' then
  return 'other'
end
local consumers = tonumber(ARGV[4])
local fed = tonumber(redis.call('HGET', KEYS[6], 'head') or '0')
local positions = redis.call('HGETALL', KEYS[5])
local at = {}
for i = 1, #positions, 2 do
  if string.match(positions[i], ':next$') then
    return 'rebuilt'
  end
  at[positions[i]] = tonumber(positions[i + 1])
end
for i = 1, consumers do
  if (at[ARGV[4 + i]] or 0) < fed then
    return 'behind'
  end
  if i > 1 and redis.call('HEXISTS', KEYS[6 + i], ARGV[1]) == 1 then
    return 'parked'
  end
end

-- What frees memory comes first: a store at its limit would stop a script that began otherwise.
redis.call('UNLINK', KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'archived', 1)
for i = 7 + consumers, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[7], ARGV[1])
return 'archived'
