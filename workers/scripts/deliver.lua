-- Put what one table looks like into a list over many tables; older news change nothing.
-- KEYS  1 items, 2 positions, 3 and on: the list's orders
-- ARGV  1 table, 2 version, 3 member, 4 item ("": it left), 5 partition, 6 position,
--       7 and on, for each order: 1 if the table is in it, 0 if not, + if it is that of the changes
-- What only frees comes first, also if there is nothing: then a store at its memory limit bears the
-- rest, which follows from moves that it has taken.
redis.call('HDEL', KEYS[1], '')
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known or tonumber(string.match(known, '^%d+')) <= tonumber(ARGV[2]) then
  -- A table that left is remembered, or older news could bring it back.
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[4])
  local reads_anew = not known or string.match(known, '^%d+ (.*)$') ~= ARGV[4]
  for i = 3, #KEYS do
    local place = ARGV[i + 4]
    if place == '1' then
      redis.call('ZADD', KEYS[i], 0, ARGV[3])
    elseif place == '0' then
      redis.call('ZREM', KEYS[i], ARGV[3])
    elseif reads_anew then
      -- The time, and one more than the last: a list that is lost and built anew goes on from there.
      local time = redis.call('TIME')
      local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
      local last = redis.call('ZREVRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2] or '0'
      redis.call('ZADD', KEYS[i], string.format('%.0f', math.max(now, tonumber(last) + 1)), ARGV[1])
    end
  end
  if reads_anew then
    -- Whoever streams the list hears which table; the channel is named like the items.
    redis.pcall('SPUBLISH', KEYS[1], ARGV[1])
  end
end
if tonumber(redis.call('HGET', KEYS[2], ARGV[5]) or '0') < tonumber(ARGV[6]) then
  redis.call('HSET', KEYS[2], ARGV[5], ARGV[6])
end
return 1
