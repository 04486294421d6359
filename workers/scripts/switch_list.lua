-- Put a rebuilt list in the place of the one that is read, as a whole; the old one is kept.
-- KEYS  of the positions, then the items and the orders: the one read, the rebuilt one, where the
--       old one goes
-- Answers 1, or 0 with nothing changed if the list that is read has taken in newer news.
local read = redis.call('HGETALL', KEYS[1])
for at = 1, #read, 2 do
  local rebuilt = redis.call('HGET', KEYS[2], read[at]) or '0'
  if tonumber(read[at + 1]) > tonumber(rebuilt) then
    return 0
  end
end
for at = 1, #KEYS, 3 do
  if redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('RENAME', KEYS[at], KEYS[at + 2])
  end
  if redis.call('EXISTS', KEYS[at + 1]) == 1 then
    redis.call('RENAME', KEYS[at + 1], KEYS[at])
  end
end
return 1
