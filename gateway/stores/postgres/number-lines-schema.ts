/**
 * Number lines that outlive sessions, one row each (core/tokens/number-lines.ts), locked after the session; and sessions that
 * continue as new ones when full. The earlier part is kept under the session's key plus a mark.
 */
export const numberLines = `
CREATE TABLE privet.numbers (line integer PRIMARY KEY, counters jsonb NOT NULL DEFAULT '{}') WITH (fillfactor = 50);
ALTER TABLE privet.sessions ADD COLUMN rolled boolean NOT NULL DEFAULT false;

CREATE FUNCTION privet.earlier_key(key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT key || chr(1) $$;

CREATE FUNCTION privet.roll_over(full_one privet.sessions) RETURNS privet.sessions LANGUAGE plpgsql AS $$
DECLARE
  started privet.sessions;
BEGIN
  -- One that was earlier still is removed by the next sweep: that of many tokens takes time.
  UPDATE privet.sessions SET key = chr(2) || id, expires_at = 0 WHERE key = privet.earlier_key(full_one.key);
  UPDATE privet.sessions SET key = privet.earlier_key(key), tokens = full_one.tokens, counters = full_one.counters,
    ttl_ms = full_one.ttl_ms WHERE id = full_one.id;
  INSERT INTO privet.sessions (key, tenant, ttl_ms, counters, rolled)
    VALUES (full_one.key, full_one.tenant, full_one.ttl_ms, full_one.counters, true) RETURNING * INTO started;
  RETURN started;
END $$;

CREATE OR REPLACE FUNCTION privet.use_session(reserve jsonb) RETURNS privet.sessions LANGUAGE plpgsql AS $$
DECLARE
  found privet.sessions;
  ttl bigint := (reserve->>'ttlMs')::bigint;
BEGIN
  LOOP
    SELECT * INTO found FROM privet.sessions WHERE key = reserve->>'session' FOR UPDATE;
    IF found.id IS NOT NULL AND found.expires_at <= privet.now_ms() THEN
      IF found.rolled THEN
        UPDATE privet.sessions SET key = chr(2) || id, expires_at = 0
          WHERE key = privet.earlier_key(reserve->>'session');
      END IF;
      DELETE FROM privet.sessions WHERE id = found.id;
      found := NULL;
    END IF;
    EXIT WHEN found.id IS NOT NULL;
    IF NOT (reserve->>'create')::boolean THEN RETURN NULL; END IF;
    INSERT INTO privet.sessions (key, tenant, ttl_ms) VALUES (reserve->>'session', reserve->>'tenant', ttl)
      ON CONFLICT DO NOTHING RETURNING * INTO found;
    EXIT WHEN found.id IS NOT NULL;
  END LOOP;
  IF (reserve->>'resetsTtl')::boolean THEN found.ttl_ms := ttl; END IF;
  RETURN found;
END $$;

CREATE OR REPLACE FUNCTION privet.reserve(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_sort = off AS $$
DECLARE
  held privet.sessions := privet.use_session(reserve);
  -- An object: in a list each number would be looked for from the beginning.
  taken jsonb := (SELECT coalesce(jsonb_object_agg(word, 1), '{}') FROM jsonb_array_elements_text(reserve->'taken') AS word);
  tokens text[] := '{}';
  given jsonb;
  entry jsonb;
  hashes text[];
  wanted text;
  name text;
  place tid;
  is_bracketed boolean;
  n bigint;
BEGIN
  IF held.id IS NULL THEN RAISE EXCEPTION USING ERRCODE = 'PV404', MESSAGE = 'unknown session'; END IF;
  FOR entry IN SELECT jsonb_array_elements(reserve->'entries') LOOP
    hashes := ARRAY(SELECT jsonb_array_elements_text(entry->'hashes'));
    FOREACH wanted IN ARRAY hashes LOOP
      SELECT token, ctid, bracketed INTO name, place, is_bracketed FROM (SELECT token, ctid, bracketed, hash
        FROM privet.tokens WHERE session = held.id AND hash >= wanted ORDER BY hash LIMIT 1) AS next WHERE hash = wanted;
      EXIT WHEN FOUND;
    END LOOP;
    IF name IS NOT NULL THEN
      IF (entry->>'bracketed')::boolean AND NOT is_bracketed THEN
        UPDATE privet.tokens SET bracketed = true WHERE ctid = place;
      END IF;
    ELSE
      IF held.tokens >= (reserve->>'tokensMax')::integer THEN held := privet.roll_over(held); END IF;
      held.tokens := held.tokens + 1;
      name := entry->>'token';
      IF name IS NULL THEN
        IF given IS NULL AND reserve->>'line' IS NOT NULL THEN
          INSERT INTO privet.numbers (line) VALUES ((reserve->>'line')::integer) ON CONFLICT DO NOTHING;
          SELECT counters INTO given FROM privet.numbers WHERE line = (reserve->>'line')::integer FOR UPDATE;
        END IF;
        n := coalesce((coalesce(given, held.counters)->>(entry->>'prefix'))::bigint, 0);
        LOOP
          n := n + 1;
          name := (entry->>'prefix') || n || ']';
          CONTINUE WHEN taken ? name;
          INSERT INTO privet.tokens (session, token, tenant, hash, data, bracketed)
            VALUES (held.id, name, held.tenant, hashes[1], entry->>'data', (entry->>'bracketed')::boolean)
            ON CONFLICT (session, token) DO NOTHING;
          EXIT WHEN FOUND;
        END LOOP;
        IF given IS NULL THEN held.counters := held.counters || jsonb_build_object(entry->>'prefix', n);
        ELSE given := given || jsonb_build_object(entry->>'prefix', n); END IF;
      ELSE
        INSERT INTO privet.tokens (session, token, tenant, hash, data, bracketed)
          VALUES (held.id, name, held.tenant, hashes[1], entry->>'data', (entry->>'bracketed')::boolean);
      END IF;
      IF reserve->'key' IS NOT NULL THEN
        INSERT INTO privet.session_keys (session, id, wrapped)
          VALUES (held.id, reserve->'key'->>'id', reserve->'key'->>'wrapped') ON CONFLICT DO NOTHING;
      END IF;
    END IF;
    tokens := tokens || name;
  END LOOP;
  IF given IS NOT NULL THEN
    UPDATE privet.numbers SET counters = given WHERE line = (reserve->>'line')::integer;
  END IF;
  UPDATE privet.sessions SET tokens = held.tokens, counters = held.counters, ttl_ms = held.ttl_ms,
    expires_at = CASE WHEN held.ttl_ms > 0 THEN privet.now_ms() + held.ttl_ms END WHERE id = held.id;
  IF held.rolled THEN
    UPDATE privet.sessions SET expires_at = CASE WHEN held.ttl_ms > 0 THEN privet.now_ms() + held.ttl_ms END
      WHERE key = privet.earlier_key(held.key);
  END IF;
  RETURN to_jsonb(tokens);
END $$;

CREATE OR REPLACE FUNCTION privet.read(wanted text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  held privet.sessions;
  earlier bigint;
  pairs jsonb;
BEGIN
  UPDATE privet.sessions SET expires_at = CASE WHEN ttl_ms > 0 THEN privet.now_ms() + ttl_ms END
    WHERE key = wanted AND (expires_at IS NULL OR expires_at > privet.now_ms()) RETURNING * INTO held;
  IF held.id IS NULL THEN RAISE EXCEPTION USING ERRCODE = 'PV404', MESSAGE = 'unknown session'; END IF;
  pairs := (SELECT coalesce(jsonb_agg(jsonb_build_object('token', token, 'hash', hash, 'data', data,
    'bracketed', bracketed)), '[]') FROM privet.tokens WHERE session = held.id);
  IF NOT held.rolled THEN RETURN jsonb_build_object('keys', privet.keys_of(held.id), 'pairs', pairs); END IF;
  UPDATE privet.sessions SET expires_at = held.expires_at WHERE key = privet.earlier_key(wanted)
    RETURNING id INTO earlier;
  RETURN jsonb_build_object('keys', privet.keys_of(held.id) || privet.keys_of(earlier),
    'pairs', pairs || (SELECT coalesce(jsonb_agg(jsonb_build_object('token', token, 'hash', hash, 'data', data,
      'bracketed', bracketed)), '[]') FROM privet.tokens WHERE session = earlier));
END $$;
`;
