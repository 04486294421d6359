-- Answer the next tables of a list, newest first.
-- KEYS  1 items, 2 positions, 3 changes, then the orders asked, then those of which only the number
--       is asked
-- ARGV  1 where to go on ("+": from the start), 2 how many of each order, 3 how many are asked
-- Answers {position, number of the newest change, number of tables in the last orders, member, item,
-- member, item, ...}
local position = 0
for _, each in ipairs(redis.call('HVALS', KEYS[2])) do
  position = position + tonumber(each)
end
local newest = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2] or '0'
local asked = 3 + tonumber(ARGV[3])
local counted = 0
for i = asked + 1, #KEYS do
  counted = counted + redis.call('ZCARD', KEYS[i])
end
local answer = {string.format('%.0f', position), string.format('%.0f', tonumber(newest)), counted}
for i = 4, asked do
  local from = ARGV[1] == '+' and '+' or '(' .. ARGV[1]
  local members = redis.call('ZREVRANGEBYLEX', KEYS[i], from, '-', 'LIMIT', 0, ARGV[2])
  for _, member in ipairs(members) do
    local item = redis.call('HGET', KEYS[1], string.match(member, ':(.*)$'))
    if item then
      answer[#answer + 1] = member
      answer[#answer + 1] = item
    end
  end
end
return answer
