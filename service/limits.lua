-- Take some of what is left in a caller's bucket. KEYS[1]: when it will be full, in µs; no key: it
-- is full. ARGV: µs until one more is there, how many it holds, how many are wanted.
-- Answers how many were taken, and in how many µs the bucket will be full.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local each = tonumber(ARGV[1])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local left = math.floor((now + each * tonumber(ARGV[2]) - full) / each)
-- A quarter at most, so that other processes find some as long as there is any.
local taken = math.min(tonumber(ARGV[3]), math.max(math.floor(left / 4), 1), math.max(left, 0))
if taken > 0 then
  full = full + taken * each
  local lasts = math.ceil((full - now) / 1000)
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', string.format('%.0f', lasts))
end
return {taken, string.format('%.0f', full - now)}
