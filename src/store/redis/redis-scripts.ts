import { deletedExpiry, markId } from '../kept-buckets.ts'
import { maxWindowMs } from '../store.ts'

/*
 * Atomic operations in Redis, as Lua scripts. A document is stored as `revision:expiresAt:value` in the
 * hash of its bucket, a window as a sorted set by time. The current time is an argument, so that the
 * service's clock is used instead of the Redis server's.
 */

const readDocument = `
local function revisionOf(stored, now)
  if not stored then return 0 end
  local revision, expiresAt = string.match(stored, '^(%d+):(%d*):')
  if expiresAt ~= '' and tonumber(expiresAt) <= now then return 0 end
  return tonumber(revision)
end
`

const expectDocument = `${readDocument}
local function isExpected(key, id, revision, now)
  return revision == '' or revisionOf(redis.call('HGET', key, id), now) == tonumber(revision)
end
`

/**
 * KEYS: the schema, the bucket of the expected document, the set of kept buckets that exist, the
 * kept buckets in use, and the bucket of each write. ARGV: the current time, the id and revision of
 * the expected document (an empty revision for no condition), the schema version, the number of kept
 * buckets, for each one the origin and revision of its mark, its next origin (empty if nothing is
 * written to it), and the least revision, and for each write the id, `1` for a value or `0` to
 * delete, the expiry time or an empty string, and the value. Returns 0 if the document's
 * revision differs, -1 if the schema is newer, -3 if a kept bucket has been lost, or else 1 and the
 * marks of the kept buckets. Documents in kept buckets continue their revisions after a deletion,
 * which is stored.
 */
export const writeDocuments = `${expectDocument}
local now, count = tonumber(ARGV[1]), tonumber(ARGV[5])
if tonumber(redis.call('GET', KEYS[1]) or '0') > tonumber(ARGV[4]) then return -1 end
local kept = {}
for i = 1, count do
  local stored = redis.call('HGET', KEYS[3 + i], '${markId}') or '0::'
  local revision, origin = string.match(stored, '^(%d+)::(.*)$')
  if origin ~= ARGV[2 + 4 * i] or tonumber(revision) < tonumber(ARGV[3 + 4 * i]) then return -3 end
  kept[KEYS[3 + i]] = tonumber(revision)
end
if not isExpected(KEYS[2], ARGV[2], ARGV[3], now) then return 0 end
redis.call('SET', KEYS[1], ARGV[4])
for i = 4 + count, #KEYS do
  local key, base = KEYS[i], 6 + 4 * count + (i - 4 - count) * 4
  local id, hasValue, expiresAt, value = ARGV[base], ARGV[base + 1], ARGV[base + 2], ARGV[base + 3]
  local stored = redis.call('HGET', key, id)
  local revision = revisionOf(stored, now)
  if kept[key] and stored then revision = tonumber(string.match(stored, '^%d+')) end
  if hasValue == '1' then
    redis.call('HSET', key, id, string.format('%d:%s:', revision + 1, expiresAt) .. value)
  elseif not kept[key] then
    redis.call('HDEL', key, id)
  elseif stored then
    redis.call('HSET', key, id, string.format('%d:${deletedExpiry}:%s', revision + 1, ARGV[1]))
  end
end
local reply = { 1 }
for i = 1, count do
  local key, origin, least = KEYS[3 + i], ARGV[4 + 4 * i], tonumber(ARGV[5 + 4 * i])
  if origin ~= '' then
    local mark = string.format('%d::%s', math.max(kept[key] + 1, least), origin)
    redis.call('HSET', key, '${markId}', mark)
  end
  reply[1 + i] = redis.call('HGET', key, '${markId}') or '0::'
  if reply[1 + i] ~= '0::' then redis.call('SADD', KEYS[3], key) end
end
return reply
`

/** KEYS: the kept buckets. Returns their marks, which are `0::` if there is none. */
export const readMarks = `
local marks = {}
for i = 1, #KEYS do marks[i] = redis.call('HGET', KEYS[i], '${markId}') or '0::' end
return marks
`

/**
 * KEYS: the schema, a kept bucket, and the set of kept buckets that exist. ARGV: the schema version,
 * the expected mark, then the id and the stored form of each document, including the new mark.
 * Returns 1 if it wrote, 0 if the mark differs, -1 if the schema is newer.
 */
export const restoreBucket = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > tonumber(ARGV[1]) then return -1 end
if (redis.call('HGET', KEYS[2], '${markId}') or '0::') ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SADD', KEYS[3], KEYS[2])
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return 1
`

/** KEYS: the bucket. ARGV: the current time, then ids. Deletes expired documents. */
export const deleteExpired = `${readDocument}
for i = 2, #ARGV do
  if revisionOf(redis.call('HGET', KEYS[1], ARGV[i]), tonumber(ARGV[1])) == 0 then
    redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return 1
`

/**
 * KEYS: the window. ARGV: the current time, the member, the longest window, then the window and
 * maximum of each limit.
 */
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
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local used = { 0 }
for i = 4, #ARGV, 2 do
  used[#used + 1] = redis.call('ZCOUNT', KEYS[1], '(' .. (now - tonumber(ARGV[i])), '+inf')
end
return used
`

/** KEYS: the lease, stored as `until:holder`. ARGV: the time, the holder, the time to live. */
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

const serverTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** Returns the server's settings for memory and persistence. */
export const readServerInfo = `return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')`

/** KEYS: when Redis was last found to be empty, by the server's clock. Returns that and its age. */
export const ageOfData = `${serverTime}
redis.call('SETNX', KEYS[1], string.format('%d', now))
local since = redis.call('GET', KEYS[1])
return { since, now - since }
`

/**
 * KEYS: the owner, stored as `until:number:holder` by the server's clock. ARGV: the holder, the
 * time to live, and the number that the holder has had, or 0. Returns `number:holder`, in which the
 * number increases with each new owner, or 0 if another holder has it. A number smaller than the
 * holder's means that Redis has lost its data, so the holder keeps the site in order to store the
 * data again.
 */
export const claimOwner = `${serverTime}
local stored = redis.call('GET', KEYS[1]) or '0:0:'
local till, number, holder = string.match(stored, '^(%d+):(%d+):(.*)$')
if tonumber(ARGV[3]) > tonumber(number) then
  number = ARGV[3]
elseif holder ~= ARGV[1] then
  if tonumber(till) > now then return 0 end
  number = number + 1
end
local fence = string.format('%d:%s', number, ARGV[1])
redis.call('SET', KEYS[1], string.format('%d:%s', now + ARGV[2], fence))
return fence
`

/**
 * KEYS: the hosts (a hash of `time:id` by URL) and their shared key. ARGV: the URL of this host,
 * which is empty until it joins, its id, the time to live, and a key if there is none yet. Returns
 * the key, `1` if another host has the same URL, and the URL and age of each host.
 */
export const announceHost = `${serverTime}
redis.call('SETNX', KEYS[2], ARGV[4])
local reply = { redis.call('GET', KEYS[2]), '0' }
if ARGV[1] ~= '' then
  local at, id = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '0:', '^(%d+):(.*)$')
  if id ~= ARGV[2] and now - at < tonumber(ARGV[3]) then reply[2] = '1' end
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d:%s', now, ARGV[2]))
end
local hosts = redis.call('HGETALL', KEYS[1])
for i = 1, #hosts, 2 do
  local age = now - string.match(hosts[i + 1], '^%d+')
  if age >= tonumber(ARGV[3]) then
    redis.call('HDEL', KEYS[1], hosts[i])
  else
    reply[#reply + 1] = hosts[i]
    reply[#reply + 1] = string.format('%d', age)
  end
end
return reply
`

/** KEYS: the hosts. ARGV: the URL of this host, and its id. */
export const withdrawHost = `
local _, id = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '0:', '^(%d+):(.*)$')
if id == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 1
`

/** KEYS: the owner. ARGV: the holder. Keeps the number. */
export const releaseOwner = `
local stored = redis.call('GET', KEYS[1]) or ''
local number, holder = string.match(stored, '^%d+:(%d+):(.*)$')
if holder == ARGV[1] then redis.call('SET', KEYS[1], string.format('0:%d:', number)) end
return 1
`

/** Returns a script with two more parameters, an owner and its `number:holder`, that fails for any other. */
export const fenced = (script: string) => `
local owner, fence = redis.call('GET', table.remove(KEYS)) or '', table.remove(ARGV)
if string.match(owner, '^%d+:(.*)$') ~= fence then
  return redis.error_reply('FENCED Another host serves the site.')
end
${script}`

/**
 * KEYS: the keys to copy, then the key of each copy. ARGV: the time to live of the copies. Returns
 * the number of fields or members in each copy.
 */
export const copyKeys = `
local sizes = {}
local count = #KEYS / 2
for i = 1, count do
  local dump = redis.call('DUMP', KEYS[i])
  sizes[i] = 0
  if dump then
    redis.call('RESTORE', KEYS[count + i], ARGV[1], dump)
    local isHash = redis.call('TYPE', KEYS[i]).ok == 'hash'
    sizes[i] = redis.call(isHash and 'HLEN' or 'ZCARD', KEYS[i])
  end
end
return sizes
`

/**
 * KEYS: the schema, the bucket of the expected document, the buckets that must be empty, the
 * buckets to delete, then the source and target of each new bucket, then the source and target of
 * each window. ARGV: the current time, the id and revision of the expected document (an empty
 * revision for no condition), the schema version, the number of buckets that must be empty, the
 * number to delete, the number of new buckets, then the number of documents or events in each new
 * bucket and window. Returns 1 if it wrote, 0 if a condition is not met, -1 if the schema is newer,
 * -2 if the new data is incomplete.
 */
export const replaceDocuments = `${expectDocument}
local now = tonumber(ARGV[1])
local empty, old, new = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local firstNew = 3 + empty + old
if tonumber(redis.call('GET', KEYS[1]) or '0') > tonumber(ARGV[4]) then return -1 end
if not isExpected(KEYS[2], ARGV[2], ARGV[3], now) then return 0 end
for i = 3, 2 + empty do
  local fields = redis.call('HGETALL', KEYS[i])
  for f = 1, #fields, 2 do
    if fields[f] ~= '${markId}' and revisionOf(fields[f + 1], now) > 0 then return 0 end
  end
end
for i = firstNew, #KEYS, 2 do
  local index = (i - firstNew) / 2
  local size = redis.call(index < new and 'HLEN' or 'ZCARD', KEYS[i])
  if size ~= tonumber(ARGV[8 + index]) then return -2 end
end
redis.call('SET', KEYS[1], ARGV[4])
for i = 3 + empty, 2 + empty + old do redis.call('UNLINK', KEYS[i]) end
for i = firstNew, #KEYS, 2 do
  if (i - firstNew) / 2 < new then
    redis.call('RENAME', KEYS[i], KEYS[i + 1])
    redis.call('PERSIST', KEYS[i + 1])
  else
    local members = redis.call('ZRANGE', KEYS[i], 0, -1, 'WITHSCORES')
    for m = 1, #members, 2 do
      redis.call('ZADD', KEYS[i + 1], 'NX', members[m + 1], members[m])
    end
    redis.call('PEXPIRE', KEYS[i + 1], ${maxWindowMs})
    redis.call('UNLINK', KEYS[i])
  end
end
return 1
`
