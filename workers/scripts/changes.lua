-- Answer what changed in a list after a number, in the order in which it did.
-- KEYS  1 items, 2 changes      ARGV  1 after which number, 2 how many at most
-- Answers {the newest number, table, its number, its item, table, number, item, ...}
local function plain(number)
  return string.format('%.0f', tonumber(number))
end
local newest = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] or '0'
local answer = {plain(newest)}
local found = redis.call(
  'ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2]
)
for at = 1, #found, 2 do
  answer[#answer + 1] = found[at]
  answer[#answer + 1] = plain(found[at + 1])
  answer[#answer + 1] = redis.call('HGET', KEYS[1], found[at]) or '0 '
end
return answer
