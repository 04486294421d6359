-- Keep an imported table: one round trip, all or nothing. No feed tells of it, no list has it.
--
-- KEYS  events, meta, finished
-- ARGV  1 version   2 hash   3 phase   4 table   5 and on: k s t w a p x of each event
--
-- Answers "stored" | "known" (a table of this id has this very history) | "taken" (another one)
local FIELDS = 7
local FIRST = 5

local head = redis.call('HMGET', KEYS[2], 'version', 'hash')
if head[1] then
  return (head[1] == ARGV[1] and head[2] == ARGV[2]) and 'known' or 'taken'
end

local version = 0
for at = FIRST, #ARGV, FIELDS do
  version = version + 1
  redis.call('XADD', KEYS[1], string.format('%.0f-0', version),
    'k', ARGV[at], 's', ARGV[at + 1], 't', ARGV[at + 2], 'w', ARGV[at + 3],
    'a', ARGV[at + 4], 'p', ARGV[at + 5], 'x', ARGV[at + 6])
end
redis.call('HSET', KEYS[2], 'version', ARGV[1], 'hash', ARGV[2], 'phase', ARGV[3], 'imported', 1)
-- An hour from now it goes to the archive, like any table that is over.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[3], string.format('%.0f', now), ARGV[4])
return 'stored'
