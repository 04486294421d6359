-- Answer where a table is and, if it is drawn up to there, what a viewer sees.
-- KEYS  meta, document      ARGV  player ("": none), viewer ("": the player's seat or spectator)
-- Answers {version, hash, phase, seat, visibility, viewer, view}; the last four may be empty.
local meta = redis.call('HMGET', KEYS[1], 'version', 'hash', 'phase')
if not meta[1] then
  return false
end
local document = redis.call('HMGET', KEYS[2], 'v', 'visibility', 'p:' .. ARGV[1])
local seat = document[3] or ''
local viewer = ARGV[2]
if viewer == '' then
  viewer = seat ~= '' and seat or 's'
end
local view = ''
if document[1] == meta[1] then
  view = redis.call('HGET', KEYS[2], viewer) or ''
end
return {meta[1], meta[2], meta[3], seat, document[2] or '', viewer, view}
