-- Take note of what became of a message; if a newer one took its place, that one stays.
-- KEYS  1 webhook, 2 pending, 3 told, 4 log
-- ARGV  1 field, 2 version, 3 verdict, 4 now (ms), 5 due again (ms), 6 line of the log ("": none),
--       7 lines kept, 8 "told" if the version is remembered, and on: fields of told to forget
-- Verdicts: "sent", "failed" (again later), "given-up" (a failure that is the message's last) and
-- "dropped" (it says nothing new).
-- Answers how often sending to this webhook has failed in a row.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local verdict = ARGV[3]
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known and string.match(known, '^%d+') == ARGV[2] then
  local version, _, attempts, rest = string.match(known, '^(%d+) (%d+) (%d+) (.*)$')
  if verdict == 'failed' then
    local value = string.format('%s %s %.0f %s', version, ARGV[5], tonumber(attempts) + 1, rest)
    redis.call('HSET', KEYS[2], ARGV[1], value)
  else
    redis.call('HDEL', KEYS[2], ARGV[1])
  end
end
if ARGV[6] ~= '' then
  redis.call('LPUSH', KEYS[4], ARGV[6])
  redis.call('LTRIM', KEYS[4], 0, tonumber(ARGV[7]) - 1)
end
if verdict == 'sent' then
  redis.call('HDEL', KEYS[1], 'failing', 'failures')
  if ARGV[8] == 'told' then
    redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
  end
  for at = 9, #ARGV do
    redis.call('HDEL', KEYS[3], ARGV[at])
  end
elseif verdict == 'failed' or verdict == 'given-up' then
  redis.call('HSETNX', KEYS[1], 'failing', ARGV[4])
  redis.call('HINCRBY', KEYS[1], 'failures', 1)
end
return tonumber(redis.call('HGET', KEYS[1], 'failures') or '0')
