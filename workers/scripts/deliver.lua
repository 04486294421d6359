-- Put what one table looks like into a list over many tables; older news change nothing.
-- KEYS  1 items, 2 positions, 3 and on: the list's orders
-- ARGV  1 table, 2 version, 3 member, 4 item ("": it left), 5 partition, 6 position,
--       7 and on, for each order: 1 if the table is in it
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known or tonumber(string.match(known, '^%d+')) <= tonumber(ARGV[2]) then
  -- A table that left is remembered, or older news could bring it back.
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[4])
  for i = 3, #KEYS do
    if ARGV[i + 4] == '1' then
      redis.call('ZADD', KEYS[i], 0, ARGV[3])
    else
      redis.call('ZREM', KEYS[i], ARGV[3])
    end
  end
  -- Whoever streams the list hears which table; the channel is named like the items.
  redis.pcall('SPUBLISH', KEYS[1], ARGV[1])
end
if tonumber(redis.call('HGET', KEYS[2], ARGV[5]) or '0') < tonumber(ARGV[6]) then
  redis.call('HSET', KEYS[2], ARGV[5], ARGV[6])
end
return 1
