-- Write documents, outboxes and checkpoints of one partition together, or nothing of it.
-- KEYS  1 checkpoints, 2 feed, 3 and on: what is written
-- ARGV  1 token, 2 number of consumers that move, for each: consumer, position expected, new;
--       then writes: command, number of its key, number of its arguments, arguments
-- Answers "done", "fenced" (a newer follower was here) or "moved" (a checkpoint is elsewhere).
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 'fenced'
end
local moving = tonumber(ARGV[2])
for at = 3, 3 * moving, 3 do
  if redis.call('HGET', KEYS[1], ARGV[at]) ~= ARGV[at + 1] then
    return 'moved'
  end
end

-- What only frees comes first, also if there is nothing: then a store at its memory limit bears the
-- rest, which follows from moves that it has taken.
redis.call('HDEL', KEYS[1], '')
for at = 3, 3 * moving, 3 do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 2])
end
local at = 3 + 3 * moving
while at <= #ARGV do
  local count = tonumber(ARGV[at + 2])
  redis.call(ARGV[at], KEYS[tonumber(ARGV[at + 1])], unpack(ARGV, at + 3, at + 2 + count))
  at = at + 3 + count
end

-- The feed is kept from the slowest consumer on, whichever program that belongs to.
local lowest
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if all[i] ~= 'token' then
    local position = tonumber(all[i + 1])
    if not lowest or position < lowest then
      lowest = position
    end
  end
end
if moving > 0 and lowest then
  redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', lowest + 1))
end
return 'done'
