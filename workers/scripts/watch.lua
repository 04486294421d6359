-- Answer how one partition is doing.
-- KEYS  1 counters, 2 checkpoints, then an outbox and the parked tables of each consumer
-- ARGV  every consumer
-- Answers {head, then of each consumer: position ("": never seen), undelivered, parked}
local answer = {redis.call('HGET', KEYS[1], 'head') or '0'}
for i = 1, #ARGV do
  answer[#answer + 1] = redis.call('HGET', KEYS[2], ARGV[i]) or ''
  answer[#answer + 1] = redis.call('HLEN', KEYS[2 * i + 1])
  answer[#answer + 1] = redis.call('HLEN', KEYS[2 * i + 2])
end
return answer
