-- Put a rebuilt list in the place of the one that is read, as a whole; the old one is kept.
-- KEYS  of the positions, then the items and the orders: the one read, the rebuilt one, where the
--       old one goes; those of the changes are the last
-- ARGV  1 if the list numbers its changes, else 0
-- Answers 1, or 0 with nothing changed if the list that is read has taken in newer news.
local read = redis.call('HGETALL', KEYS[1])
for at = 1, #read, 2 do
  local rebuilt = redis.call('HGET', KEYS[2], read[at]) or '0'
  if tonumber(read[at + 1]) > tonumber(rebuilt) then
    return 0
  end
end
-- News may be of a later version than its position promises: a table is read as it is by then.
local items = redis.call('HGETALL', KEYS[4])
for at = 1, #items, 2 do
  local rebuilt = redis.call('HGET', KEYS[5], items[at])
  local read = tonumber(string.match(items[at + 1], '^%d+'))
  if rebuilt and read > tonumber(string.match(rebuilt, '^%d+')) then
    return 0
  end
end
if ARGV[1] == '1' then
  -- What reads as before keeps its number, whatever else there is gets a new one: whoever streams the
  -- list is told what differs, and nothing twice.
  local changes, rebuilt = KEYS[#KEYS - 2], KEYS[#KEYS - 1]
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local last = redis.call('ZREVRANGE', changes, 0, 0, 'WITHSCORES')[2] or '0'
  local number = math.max(now, tonumber(last) + 1)
  local function item(key, table)
    return string.match(redis.call('HGET', key, table) or '', '^%d+ (.*)$')
  end
  for _, table in ipairs(redis.call('ZRANGE', rebuilt, 0, -1)) do
    local known = redis.call('ZSCORE', changes, table)
    if not known or item(KEYS[4], table) ~= item(KEYS[5], table) then
      known = string.format('%.0f', number)
      number = number + 1
    end
    redis.call('ZADD', rebuilt, known, table)
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
