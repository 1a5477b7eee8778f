/**
 * Atomic Redis operations as Lua scripts. A script runs alone, so numbering and counting need no lock. Scripts check
 * first and write last, because nothing is rolled back.
 * Keys after the prefix: `s:<session>` a hash of one session (`ttl`, `c` number of pairs, `x` when its tokens were
 * indexed, `n:<prefix>` highest number and `p` all these prefixes, `t:<token>` the pair, `h:<hash>` the token of a
 * value, `k:<id>` a wrapped key); `s:<session>\\1` its earlier part from when it was full; `l:<line>` a hash of the
 * highest number by prefix, for sessions that share numbers; `i:<tenant>:<token>` the sessions that contain a token, by
 * last use; `u:<month>:tenant` and `u:<month>:key` credits used; `r:<id>` a rate limit; `rec:<kind>` and `rev:<kind>`
 * records and their revision; `events` a stream; `rollups:<level>` their parts by time, `counts:<level>` and
 * `tops:<level>` their content.
 */

const prelude = `
local P = KEYS[1]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local function sessionKey(session) return P .. 's:' .. session end
local function earlierKey(session) return sessionKey(session) .. '\\1' end
local function indexKey(tenant, token) return P .. 'i:' .. tenant .. ':' .. token end

local function takeRate(id, limit, windowMs)
  local key = P .. 'r:' .. id
  local endsIn = redis.call('PTTL', key)
  -- One that ends later than any that begins now is of a clock that was put back since.
  if endsIn == -1 or endsIn > math.ceil(windowMs) then redis.call('DEL', key) end
  local taken = tonumber(redis.call('GET', key) or '0')
  local allowed = taken < limit
  if allowed then
    taken = redis.call('INCR', key)
    if taken == 1 then redis.call('PEXPIRE', key, math.ceil(windowMs)) end
  end
  return { allowed = allowed, taken = taken, endsAt = redis.call('PTTL', key), now = 0 }
end

-- The index of a token outlives every session in it: it is renewed when a session was used half its lifetime after.
local function keepIndex(tenant, token, ttl)
  local key = indexKey(tenant, token)
  if ttl == 0 then redis.call('PERSIST', key)
  elseif redis.call('ZCARD', key) == 1 then redis.call('PEXPIRE', key, 2 * ttl)
  else redis.call('PEXPIRE', key, 2 * ttl, 'GT') end
end

local function use(session, tenant, ttl)
  local key = sessionKey(session)
  for _, each in ipairs({ key, earlierKey(session) }) do
    if ttl == 0 then redis.call('PERSIST', each) else redis.call('PEXPIRE', each, ttl) end
  end
  if tenant == '' or ttl == 0 then return end
  if now - tonumber(redis.call('HGET', key, 'x') or '0') <= ttl / 2 then return end
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if string.sub(field, 1, 2) == 't:' then
      local token = string.sub(field, 3)
      redis.call('ZADD', indexKey(tenant, token), now, session)
      keepIndex(tenant, token, ttl)
    end
  end
  redis.call('HSET', key, 'x', now)
end

local function addToIndex(session, tenant, token, ttl)
  if tenant == '' then return end
  local key = indexKey(tenant, token)
  -- Two of the longest unseen make place when they are gone, so that the index does not grow beyond what lives.
  for _, other in ipairs(redis.call('ZRANGE', key, 0, 1)) do
    if redis.call('EXISTS', sessionKey(other), earlierKey(other)) == 0 then redis.call('ZREM', key, other)
    else redis.call('ZADD', key, 'XX', now, other) end
  end
  redis.call('ZADD', key, now, session)
  keepIndex(tenant, token, ttl)
end
`;

/** One call; see `SealedBackend.run`. ARGV[1] is the call as JSON. Returns `[status, charge, tokens, fields]`. */
export const runScript = `${prelude}
local call = cjson.decode(ARGV[1])
local reserve, charge = call.reserve, call.charge
local key
local tokens = {}

-- A full session becomes the earlier part of a new one with the same counters.
local function rollOver(ttl)
  local earlier = earlierKey(reserve.session)
  redis.call('UNLINK', earlier)
  redis.call('RENAME', key, earlier)
  local prefixes = redis.call('HGET', earlier, 'p') or ''
  redis.call('HSET', key, 'ttl', ttl, 'x', now, 'p', prefixes)
  for prefix in string.gmatch(prefixes, '%S+') do
    redis.call('HSET', key, 'n:' .. prefix, redis.call('HGET', earlier, 'n:' .. prefix))
  end
end

-- The next number of the line, or of the session where there is none.
local function nextNumber(prefix)
  if reserve.line then return redis.call('HINCRBY', P .. 'l:' .. string.format('%d', reserve.line), prefix, 1) end
  local n = redis.call('HINCRBY', key, 'n:' .. prefix, 1)
  if n == 1 then redis.call('HSET', key, 'p', (redis.call('HGET', key, 'p') or '') .. ' ' .. prefix) end
  return n
end

if call.read and redis.call('EXISTS', sessionKey(call.read)) == 0 then return { 'unknown' } end
if reserve then
  key = sessionKey(reserve.session)
  if not reserve.create and redis.call('EXISTS', key) == 0 then return { 'unknown' } end
end

local charged = ''
if charge then
  local result = {}
  local byTenant, byKey = P .. 'u:' .. charge.month .. ':tenant', P .. 'u:' .. charge.month .. ':key'
  result.used = tonumber(redis.call('HGET', byTenant, charge.tenant) or '0')
  if charge.rate then
    result.rate = takeRate('tenant:' .. charge.tenant, charge.rate.limit, charge.rate.windowMs)
    if not result.rate.allowed then result.refused = 'rate' end
  end
  if not result.refused and charge.credits > 0 then
    if charge.creditsMax ~= cjson.null and charge.creditsMax and result.used + charge.credits > charge.creditsMax then
      result.refused = 'credits'
    else
      result.used = redis.call('HINCRBY', byTenant, charge.tenant, charge.credits)
      redis.call('HINCRBY', byKey, charge.keyId, charge.credits)
      redis.call('EXPIRE', byTenant, 34300800)
      redis.call('EXPIRE', byKey, 34300800)
    end
  end
  charged = cjson.encode(result)
  if result.refused then return { 'ok', charged, {}, {} } end
end

if reserve then
  local ttl = tonumber(redis.call('HGET', key, 'ttl') or '-1')
  if ttl < 0 or reserve.resetsTtl then
    ttl = reserve.ttlMs
    redis.call('HSET', key, 'ttl', ttl)
    redis.call('HSETNX', key, 'x', now)
  end
  local taken = {}
  for _, token in ipairs(reserve.taken) do taken[token] = true end
  local keyId = reserve.key and reserve.key.id or '--------'
  local count, fresh = tonumber(redis.call('HGET', key, 'c') or '0'), 0
  local function countFresh()
    if fresh == 0 then return end
    redis.call('HINCRBY', key, 'c', fresh)
    if reserve.key then redis.call('HSETNX', key, 'k:' .. keyId, reserve.key.wrapped) end
  end
  for i, entry in ipairs(reserve.entries) do
    local token = false
    for _, hash in ipairs(entry.hashes) do
      token = redis.call('HGET', key, 'h:' .. hash)
      if token then break end
    end
    if token then
      tokens[i] = token
      if entry.bracketed then
        local pair = redis.call('HGET', key, 't:' .. token)
        redis.call('HSET', key, 't:' .. token, '1' .. string.sub(pair, 2))
      end
    else
      if count + fresh >= reserve.tokensMax then
        countFresh()
        rollOver(ttl)
        count, fresh = 0, 0
      end
      fresh = fresh + 1
      token = entry.token
      if not token then
        repeat token = entry.prefix .. string.format('%d', nextNumber(entry.prefix)) .. ']'
        until not taken[token] and redis.call('HEXISTS', key, 't:' .. token) == 0
      end
      local pair = (entry.bracketed and '1' or '0') .. keyId .. entry.hashes[1] .. entry.data
      redis.call('HSET', key, 't:' .. token, pair, 'h:' .. entry.hashes[1], token)
      addToIndex(reserve.session, reserve.tenant, token, ttl)
      tokens[i] = token
    end
  end
  countFresh()
  use(reserve.session, reserve.tenant, ttl)
end

local fields = {}
if call.read then
  fields = redis.call('HGETALL', sessionKey(call.read))
  for _, field in ipairs(redis.call('HGETALL', earlierKey(call.read))) do table.insert(fields, field) end
  use(call.read, call.readTenant, tonumber(redis.call('HGET', sessionKey(call.read), 'ttl') or '0'))
end
return { 'ok', charged, tokens, fields }
`;

/** ARGV: month, tenant, key, credits. */
export const refundScript = `
local function giveBack(kind, id)
  local key = KEYS[1] .. 'u:' .. ARGV[1] .. ':' .. kind
  local used = tonumber(redis.call('HGET', key, id) or '0')
  if used > 0 then redis.call('HINCRBY', key, id, -math.min(used, tonumber(ARGV[4]))) end
end
giveBack('tenant', ARGV[2])
giveBack('key', ARGV[3])
`;

/**
 * ARGV: tenant, tokens… Returns `[token, session, pair, keyId, wrapped]` for each token that exactly one live session
 * contains.
 */
export const resolveScript = `${prelude}
local tenant = ARGV[1]
local found = {}
for i = 2, #ARGV do
  local token = ARGV[i]
  local key = indexKey(tenant, token)
  local holder, holderKey, holders, offset = nil, nil, 0, 0
  while holders < 2 do
    local batch = redis.call('ZREVRANGE', key, offset, offset + 49)
    if #batch == 0 then break end
    for _, session in ipairs(batch) do
      local held = 't:' .. token
      local isHeld = redis.call('HEXISTS', sessionKey(session), held) == 1
      if isHeld or redis.call('HEXISTS', earlierKey(session), held) == 1 then
        holder, holderKey = session, isHeld and sessionKey(session) or earlierKey(session)
        holders = holders + 1
        offset = offset + 1
        if holders == 2 then break end
      else
        redis.call('ZREM', key, session)
      end
    end
  end
  if holders == 1 then
    local pair = redis.call('HGET', holderKey, 't:' .. token)
    local keyId = string.sub(pair, 2, 9)
    table.insert(found, { token, holder, pair, keyId, redis.call('HGET', holderKey, 'k:' .. keyId) or '' })
  end
end
return found
`;

/** ARGV: session, tenant. Returns whether it existed. */
export const dropScript = `${prelude}
local key = sessionKey(ARGV[1])
if ARGV[2] ~= '' then
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if string.sub(field, 1, 2) == 't:' then
      redis.call('ZREM', indexKey(ARGV[2], string.sub(field, 3)), ARGV[1])
    end
  end
end
redis.call('UNLINK', earlierKey(ARGV[1]))
return redis.call('DEL', key)
`;

/** ARGV: id, limit, window in ms. Returns JSON. */
export const rateScript = `${prelude}
return cjson.encode(takeRate(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])))
`;

/**
 * ARGV: kind, expected revision or '', then alternating id and JSON ('' to remove). Returns the new revision, -1 =
 * conflict.
 */
export const writeScript = `
local P, kind, expected = KEYS[1], ARGV[1], ARGV[2]
local revision = redis.call('GET', P .. 'rev:' .. kind) or '0'
if expected ~= '' and expected ~= revision then return -1 end
local ids = {}
for i = 3, #ARGV, 2 do
  table.insert(ids, ARGV[i])
  if ARGV[i + 1] == '' then redis.call('HDEL', P .. 'rec:' .. kind, ARGV[i])
  else redis.call('HSET', P .. 'rec:' .. kind, ARGV[i], ARGV[i + 1]) end
end
redis.call('PUBLISH', P .. 'changes', cjson.encode({ kind = kind, ids = ids }))
return redis.call('INCR', P .. 'rev:' .. kind)
`;

/**
 * ARGV: number of events, six texts of each (subject, service, action, host, types, event as JSON), then of each rollup
 * level, at, part, counts, tops.
 */
export const appendScript = `
local P, n = KEYS[1], tonumber(ARGV[1])
local at = 2
for _ = 1, n do
  redis.call('XADD', P .. 'events', '*', 'u', ARGV[at], 's', ARGV[at + 1], 'a', ARGV[at + 2], 'h', ARGV[at + 3],
    't', ARGV[at + 4], 'e', ARGV[at + 5])
  at = at + 6
end
while at < #ARGV do
  local level, member = ARGV[at], ARGV[at + 1] .. ':' .. ARGV[at + 2]
  redis.call('ZADD', P .. 'rollups:' .. level, ARGV[at + 1], member)
  redis.call('HSET', P .. 'counts:' .. level, member, ARGV[at + 3])
  redis.call('HSET', P .. 'tops:' .. level, member, ARGV[at + 4])
  at = at + 5
end
return n
`;

/**
 * Scans part of the stream, newest first. ARGV: end and start (ids), how many to scan, how many to return, then the
 * required values of u, s, a, h and the text that t must contain, each prefixed by '=', or '' for any. Returns the id
 * of the last one scanned ('' at the end), and id and event of each match.
 */
export const queryScript = `
local found, last = {}, ''
local entries = redis.call('XREVRANGE', KEYS[1] .. 'events', ARGV[1], ARGV[2], 'COUNT', ARGV[3])
for _, entry in ipairs(entries) do
  local fields, right = entry[2], true
  for i = 1, 4 do
    local wanted = ARGV[4 + i]
    if wanted ~= '' and fields[2 * i] ~= string.sub(wanted, 2) then right = false break end
  end
  if right and ARGV[9] ~= '' and not string.find(fields[10], string.sub(ARGV[9], 2), 1, true) then right = false end
  if right then
    if #found == 2 * tonumber(ARGV[4]) then return { last, found, 1 } end
    table.insert(found, entry[1])
    table.insert(found, fields[12])
  end
  last = entry[1]
end
return { #entries < tonumber(ARGV[3]) and '' or last, found, 0 }
`;

/** ARGV: level, from, to, names of the hashes wanted. Returns alternating member and values. */
export const rollupsScript = `
local P, level, answer = KEYS[1], ARGV[1], {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', P .. 'rollups:' .. level, ARGV[2], '(' .. ARGV[3])) do
  table.insert(answer, member)
  for i = 4, #ARGV do table.insert(answer, redis.call('HGET', P .. ARGV[i] .. ':' .. level, member)) end
end
return answer
`;

/** ARGV: level, before. */
export const dropRollupsScript = `
local P, level = KEYS[1], ARGV[1]
local old = redis.call('ZRANGEBYSCORE', P .. 'rollups:' .. level, '-inf', '(' .. ARGV[2])
for _, member in ipairs(old) do
  redis.call('HDEL', P .. 'counts:' .. level, member)
  redis.call('HDEL', P .. 'tops:' .. level, member)
  redis.call('ZREM', P .. 'rollups:' .. level, member)
end
return #old
`;
