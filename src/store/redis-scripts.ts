/*
 * What must happen as one in Redis, as Lua. A document is stored as `revision:expiresAt:value` in the
 * hash of its bucket, a window as a sorted set by time. Time comes as an argument: the service's clock
 * counts, not the server's.
 */

const readDocument = `
local function revisionOf(stored, now)
  if not stored then return 0 end
  local revision, expiresAt = string.match(stored, '^(%d+):(%d*):')
  if expiresAt ~= '' and tonumber(expiresAt) <= now then return 0 end
  return tonumber(revision)
end
`

/**
 * KEYS: bucket of the expected document, then the bucket of each write. ARGV: now, id and revision of
 * the expected document (revision empty: none), then of each write id, `1` with a value or `0` to
 * delete, expiry or empty, value.
 */
export const writeDocuments = `${readDocument}
local now = tonumber(ARGV[1])
if ARGV[3] ~= '' and revisionOf(redis.call('HGET', KEYS[1], ARGV[2]), now) ~= tonumber(ARGV[3]) then
  return 0
end
for i = 2, #KEYS do
  local base = 4 + (i - 2) * 4
  local id, hasValue, expiresAt, value = ARGV[base], ARGV[base + 1], ARGV[base + 2], ARGV[base + 3]
  if hasValue == '1' then
    local revision = revisionOf(redis.call('HGET', KEYS[i], id), now) + 1
    redis.call('HSET', KEYS[i], id, string.format('%d:%s:', revision, expiresAt) .. value)
  else
    redis.call('HDEL', KEYS[i], id)
  end
end
return 1
`

/** KEYS: the bucket. ARGV: now, then ids: those that have expired are deleted. */
export const deleteExpired = `${readDocument}
for i = 2, #ARGV do
  if revisionOf(redis.call('HGET', KEYS[1], ARGV[i]), tonumber(ARGV[1])) == 0 then
    redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return 1
`

/** KEYS: the window. ARGV: now, member, longest window, then of each limit its window and its most. */
export const takeFromWindow = `
local now = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[3]))
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf')) do
  redis.call('ZADD', KEYS[1], now, member)
end
local wait = 0
for i = 4, #ARGV, 2 do
  local window, most = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  if redis.call('ZCOUNT', KEYS[1], '(' .. (now - window), '+inf') >= most then
    if most == 0 then
      wait = math.max(wait, window)
    else
      local blocking = redis.call('ZRANGE', KEYS[1], -most, -most, 'WITHSCORES')
      wait = math.max(wait, tonumber(blocking[2]) + window - now)
    end
  end
end
if wait > 0 then return { wait } end
redis.call('ZADD', KEYS[1], now, ARGV[2])
local used = { 0 }
for i = 4, #ARGV, 2 do
  used[#used + 1] = redis.call('ZCOUNT', KEYS[1], '(' .. (now - tonumber(ARGV[i])), '+inf')
end
return used
`

/** KEYS: the lease. ARGV: now, holder, time to live. Kept as `until:holder`. */
export const takeLease = `
local now, ttl = tonumber(ARGV[1]), tonumber(ARGV[3])
local stored = redis.call('GET', KEYS[1])
if stored then
  local untilText, holder = string.match(stored, '^(%d+):(.*)$')
  local till = tonumber(untilText)
  if holder ~= ARGV[2] and till > now and till <= now + ttl then return 0 end
end
redis.call('SET', KEYS[1], string.format('%d:%s', now + ttl, ARGV[2]))
return 1
`

/** KEYS: the lease. ARGV: holder. */
export const releaseLease = `
local stored = redis.call('GET', KEYS[1])
if stored and string.match(stored, '^%d+:(.*)$') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`
