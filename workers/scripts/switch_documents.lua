-- Put rebuilt documents in the place of those that are read; each of the old ones is kept.
-- KEYS  1 checkpoints, then of each document: the one read, the rebuilt one, where the old one goes
-- ARGV  1 consumer, 2 the position up to which they were rebuilt
-- Answers 1, or 0 with nothing changed if what is read may be newer.
if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') > tonumber(ARGV[2]) then
  return 0
end
-- A document may be of a later version than that position promises: a table is read as it is by then.
for at = 2, #KEYS, 3 do
  local read, rebuilt = redis.call('HGET', KEYS[at], 'v'), redis.call('HGET', KEYS[at + 1], 'v')
  if read and rebuilt and tonumber(read) > tonumber(rebuilt) then
    return 0
  end
end
for at = 2, #KEYS, 3 do
  if redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('RENAME', KEYS[at], KEYS[at + 2])
  end
  if redis.call('EXISTS', KEYS[at + 1]) == 1 then
    redis.call('RENAME', KEYS[at + 1], KEYS[at])
  end
end
return 1
