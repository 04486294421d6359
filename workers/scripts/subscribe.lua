-- Enter a webhook among those that hear of a player or a table, or take it out.
-- KEYS  subscriptions      ARGV  1 subject, 2 webhook, 3 its entry, which begins with it ("": none)
local entries = {}
for entry in string.gmatch(redis.call('HGET', KEYS[1], ARGV[1]) or '', '%S+') do
  if string.match(entry, '^[^|]*') ~= ARGV[2] then
    entries[#entries + 1] = entry
  end
end
if ARGV[3] ~= '' then
  entries[#entries + 1] = ARGV[3]
end
if #entries == 0 then
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return redis.call('HSET', KEYS[1], ARGV[1], table.concat(entries, ' '))
