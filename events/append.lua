-- Append events to a table, or only look: one round trip, all or nothing.
-- Checks first, then writes that cannot fail: Lua does not roll back.
--
-- KEYS  events, meta, commands, feed, counters, tables
-- ARGV  1 table        2 version expected    3 hash expected   4 command id ("": none)
--       5 fingerprint  6 publishing command  7 followers' channel  8 streams' channel
--       9 new hash    10 phase              11 trace ("": none)
--      12 and on: k s t w a p x of each event; none: look
--
-- Answers {"duplicate", first, last, 1: replicas can vouch for it, or 0: they cannot be asked}
--       | {"mismatch"} | {"conflict", version, hash, missing tail} | {"unchanged"}
--       | {"appended", followers that heard the nudge}
local FIELDS = 7
local FIRST = 12

local function entry(version)
  return string.format('%.0f-0', version)
end

local head = redis.call('HMGET', KEYS[2], 'version', 'hash')
local version = head[1] or '0'
local hash = head[2] or ''

local known = ARGV[4] ~= '' and redis.call('HGET', KEYS[3], ARGV[4])
if known then
  -- A write, so that waiting for its fsync vouches for the first answer too.
  -- A server that takes no writes has the first answer on its own disk all the same.
  local vouching = redis.pcall('HINCRBY', KEYS[5], 'repeats', 1)
  local fingerprint, first, last = string.match(known, '^(.-)|(%d+)|(%d+)$')
  if fingerprint ~= ARGV[5] then
    return {'mismatch'}
  end
  return {'duplicate', first, last, type(vouching) == 'number' and 1 or 0}
end

if version ~= ARGV[2] or hash ~= ARGV[3] then
  local tail = redis.call('XRANGE', KEYS[1], entry(tonumber(ARGV[2]) + 1), '+')
  return {'conflict', version, hash, tail}
end

local count = (#ARGV - FIRST + 1) / FIELDS
if count == 0 then
  return {'unchanged'}
end

local last = tonumber(version)
local first = string.format('%.0f', last + 1)
for at = FIRST, #ARGV, FIELDS do
  last = last + 1
  local event = {
    'k', ARGV[at], 's', ARGV[at + 1], 't', ARGV[at + 2], 'w', ARGV[at + 3],
    'a', ARGV[at + 4], 'p', ARGV[at + 5], 'x', ARGV[at + 6],
  }
  if ARGV[11] ~= '' then
    event[#event + 1] = 'trace'
    event[#event + 1] = ARGV[11]
  end
  redis.call('XADD', KEYS[1], entry(last), unpack(event))
end
local newest = string.format('%.0f', last)

redis.call('HSET', KEYS[2], 'version', newest, 'hash', ARGV[9], 'phase', ARGV[10])
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5] .. '|' .. first .. '|' .. newest)
local position = redis.call('HINCRBY', KEYS[5], 'head', 1)
redis.call('XADD', KEYS[4], entry(position), 't', ARGV[1], 'f', first, 'c', string.format('%.0f', count))
if first == '1' then
  redis.call('ZADD', KEYS[6], string.format('%.0f', position), ARGV[1])
end

-- Everything is written: a nudge that cannot be sent must not undo the answer.
local heard = redis.pcall(ARGV[6], ARGV[7], '')
redis.pcall(ARGV[6], ARGV[8], ARGV[1])
return {'appended', type(heard) == 'number' and heard or 0}
