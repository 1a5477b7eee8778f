/**
 * The schema for PostgreSQL 13 or later. A whole call runs in one function, which takes one round trip. Rows are locked in a
 * fixed order (limit, tenant, key, session, number line), so that calls cannot deadlock. A full session continues as a new
 * one; its earlier part is kept under the session's key plus a mark. Number lines (core/tokens/number-lines.ts) outlive
 * sessions.
 */

/** The version that {@link schema} creates. */
export const schemaVersion = 6;

export const schema = `
CREATE TABLE privet.sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL UNIQUE, tenant text NOT NULL,
  ttl_ms bigint NOT NULL, expires_at bigint, tokens integer NOT NULL DEFAULT 0, counters jsonb NOT NULL DEFAULT '{}',
  rolled boolean NOT NULL DEFAULT false);
CREATE INDEX sessions_expiry ON privet.sessions (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE privet.tokens (
  session bigint NOT NULL REFERENCES privet.sessions (id) ON DELETE CASCADE, token text NOT NULL, tenant text NOT NULL,
  hash text NOT NULL, data text NOT NULL, bracketed boolean NOT NULL, PRIMARY KEY (session, token), UNIQUE (session, hash));
CREATE INDEX tokens_tenant ON privet.tokens (tenant, token);
CREATE TABLE privet.session_keys (
  session bigint NOT NULL REFERENCES privet.sessions (id) ON DELETE CASCADE, id text NOT NULL, wrapped text NOT NULL,
  PRIMARY KEY (session, id));
CREATE TABLE privet.usage (month text NOT NULL, kind text NOT NULL, id text NOT NULL, used bigint NOT NULL,
  PRIMARY KEY (month, kind, id)) WITH (fillfactor = 50);
-- A crash empties it, which a rate limit can bear.
CREATE UNLOGGED TABLE privet.rates (id text PRIMARY KEY, taken bigint NOT NULL, ends_at bigint NOT NULL)
  WITH (fillfactor = 50);
CREATE TABLE privet.records (kind text NOT NULL, id text NOT NULL, value text NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE privet.revisions (kind text PRIMARY KEY, revision bigint NOT NULL);
CREATE TABLE privet.events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL,
  subject text NOT NULL, service text NOT NULL, action text NOT NULL, fields text NOT NULL,
  host text NOT NULL DEFAULT '', types text NOT NULL DEFAULT '');
CREATE INDEX events_at ON privet.events (at, id);
CREATE INDEX events_subject ON privet.events (subject, at, id);
CREATE INDEX events_host ON privet.events (host, at, id);
CREATE INDEX events_service ON privet.events (service, at, id);
CREATE INDEX events_action ON privet.events (action, at, id);
CREATE INDEX events_types ON privet.events (at, id) WHERE types <> '';
CREATE TABLE privet.rollups (level text NOT NULL, at bigint NOT NULL, part text NOT NULL, counts text NOT NULL,
  tops text NOT NULL, PRIMARY KEY (level, at, part)) WITH (fillfactor = 50);
CREATE TABLE privet.numbers (line integer PRIMARY KEY, counters jsonb NOT NULL DEFAULT '{}') WITH (fillfactor = 50);

CREATE FUNCTION privet.now_ms() RETURNS bigint LANGUAGE sql AS
  $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- A window that ends later than a new one would was started before the clock was set back.
CREATE FUNCTION privet.take_rate(rate_id text, rate_limit bigint, window_ms bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint;
  held privet.rates;
BEGIN
  INSERT INTO privet.rates (id, taken, ends_at) VALUES (rate_id, 0, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO held FROM privet.rates WHERE id = rate_id FOR UPDATE;
  now_ms := privet.now_ms();
  IF coalesce(held.ends_at, 0) <= now_ms OR held.ends_at > now_ms + window_ms THEN
    held.taken := 0;
    held.ends_at := now_ms + window_ms;
  END IF;
  IF held.taken >= rate_limit THEN
    RETURN jsonb_build_object('allowed', false, 'taken', held.taken, 'endsAt', held.ends_at, 'now', now_ms);
  END IF;
  UPDATE privet.rates SET taken = held.taken + 1, ends_at = held.ends_at WHERE id = rate_id;
  RETURN jsonb_build_object('allowed', true, 'taken', held.taken + 1, 'endsAt', held.ends_at, 'now', now_ms);
END $$;

CREATE FUNCTION privet.charge(charge jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  result jsonb := '{}';
  cost bigint := (charge->>'credits')::bigint;
  most bigint := (charge->>'creditsMax')::bigint;
  total bigint;
BEGIN
  IF charge->'rate' IS NOT NULL THEN
    result := jsonb_build_object('rate', privet.take_rate('tenant:' || (charge->>'tenant'),
      (charge->'rate'->>'limit')::bigint, (charge->'rate'->>'windowMs')::bigint));
    IF NOT (result->'rate'->>'allowed')::boolean THEN result := result || '{"refused": "rate"}'; END IF;
  END IF;
  IF cost > 0 AND NOT result ? 'refused' AND (most IS NULL OR cost <= most) THEN
    INSERT INTO privet.usage AS u (month, kind, id, used)
      VALUES (charge->>'month', 'tenant', charge->>'tenant', cost)
      ON CONFLICT (month, kind, id) DO UPDATE SET used = u.used + cost WHERE most IS NULL OR u.used + cost <= most
      RETURNING used INTO total;
    IF total IS NOT NULL THEN
      INSERT INTO privet.usage AS u (month, kind, id, used) VALUES (charge->>'month', 'key', charge->>'keyId', cost)
        ON CONFLICT (month, kind, id) DO UPDATE SET used = u.used + cost;
      RETURN result || jsonb_build_object('used', total);
    END IF;
  END IF;
  SELECT used INTO total FROM privet.usage
    WHERE month = charge->>'month' AND kind = 'tenant' AND id = charge->>'tenant';
  IF cost > 0 AND NOT result ? 'refused' THEN result := result || '{"refused": "credits"}'; END IF;
  RETURN result || jsonb_build_object('used', coalesce(total, 0));
END $$;

-- Rows are locked in the order in which a charge locks them.
CREATE FUNCTION privet.refund(charge jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  credits bigint := (charge->>'credits')::bigint;
BEGIN
  UPDATE privet.usage SET used = greatest(0, used - credits)
    WHERE month = charge->>'month' AND kind = 'tenant' AND id = charge->>'tenant';
  UPDATE privet.usage SET used = greatest(0, used - credits)
    WHERE month = charge->>'month' AND kind = 'key' AND id = charge->>'keyId';
END $$;

CREATE FUNCTION privet.earlier_key(key text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT key || chr(1) $$;

CREATE FUNCTION privet.roll_over(full_one privet.sessions) RETURNS privet.sessions LANGUAGE plpgsql AS $$
DECLARE
  started privet.sessions;
BEGIN
  -- The next sweep removes an even earlier part; deleting many tokens takes time.
  UPDATE privet.sessions SET key = chr(2) || id, expires_at = 0 WHERE key = privet.earlier_key(full_one.key);
  UPDATE privet.sessions SET key = privet.earlier_key(key), tokens = full_one.tokens, counters = full_one.counters,
    ttl_ms = full_one.ttl_ms WHERE id = full_one.id;
  INSERT INTO privet.sessions (key, tenant, ttl_ms, counters, rolled)
    VALUES (full_one.key, full_one.tenant, full_one.ttl_ms, full_one.counters, true) RETURNING * INTO started;
  RETURN started;
END $$;

-- The live session, locked; a new one if there is none.
CREATE FUNCTION privet.use_session(reserve jsonb) RETURNS privet.sessions LANGUAGE plpgsql AS $$
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

-- The planner keeps one plan for all values of a call. A plan made for a list of hashes, or while the table was small,
-- would scan everything the call has added before each further value. So per-value work must not depend on estimates:
-- only one index provides the order that the hash search asks for, a free name is found by the constraint, and a row by
-- its ctid (nobody else changes it: its session is locked).
CREATE FUNCTION privet.reserve(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_sort = off AS $$
DECLARE
  held privet.sessions := privet.use_session(reserve);
  -- An object, because a list would be searched from its start for every number.
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

CREATE FUNCTION privet.keys_of(held bigint) RETURNS jsonb LANGUAGE sql STABLE AS
  $$ SELECT coalesce(jsonb_object_agg(id, wrapped), '{}') FROM privet.session_keys WHERE session = held $$;

CREATE FUNCTION privet.read(wanted text) RETURNS jsonb LANGUAGE plpgsql AS $$
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

-- One call. An error undoes all of it.
CREATE FUNCTION privet.run(call jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  result jsonb := '{}';
BEGIN
  IF call->'charge' IS NOT NULL THEN
    result := jsonb_build_object('charge', privet.charge(call->'charge'));
    IF result->'charge' ? 'refused' AND (call->'reserve'->>'create' IS DISTINCT FROM 'false' OR
      privet.is_live(call->'reserve'->>'session')) AND (call->>'read' IS NULL OR privet.is_live(call->>'read'))
    THEN RETURN result; END IF;
  END IF;
  IF call->'reserve' IS NOT NULL THEN
    result := result || jsonb_build_object('tokens', privet.reserve(call->'reserve'));
  END IF;
  IF call->>'read' IS NOT NULL THEN
    result := result || jsonb_build_object('session', privet.read(call->>'read'));
  END IF;
  RETURN result;
END $$;

CREATE FUNCTION privet.is_live(wanted text) RETURNS boolean LANGUAGE sql AS $$ SELECT EXISTS (SELECT 1
  FROM privet.sessions WHERE key = wanted AND (expires_at IS NULL OR expires_at > privet.now_ms())) $$;

-- Planned at each call, for the table as it is now.
CREATE FUNCTION privet.resolve(owner text, wanted text[]) RETURNS TABLE (
  session text, token text, hash text, data text, bracketed boolean, keys jsonb) LANGUAGE sql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
  SELECT held.key, name, held.hash, held.data, held.bracketed, privet.keys_of(held.id) FROM unnest(wanted) AS name
  CROSS JOIN LATERAL (
    SELECT min(holder.key) AS key, min(holder.id) AS id, min(holder.hash) AS hash, min(holder.data) AS data,
      bool_or(holder.bracketed) AS bracketed, count(*) AS holders
    FROM (SELECT s.key, s.id, t.hash, t.data, t.bracketed FROM privet.tokens t JOIN privet.sessions s ON s.id = t.session
      WHERE t.tenant = owner AND t.token = name AND (s.expires_at IS NULL OR s.expires_at > privet.now_ms())
      LIMIT 2) AS holder) AS held
  WHERE held.holders = 1 $$;

-- The new revision, or -1 when the kind has another one than expected.
CREATE FUNCTION privet.write_records(what text, expected bigint, changes jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  current bigint;
  ids jsonb := (SELECT coalesce(jsonb_agg(name), '[]') FROM jsonb_object_keys(changes) AS name);
BEGIN
  INSERT INTO privet.revisions (kind, revision) VALUES (what, 0) ON CONFLICT DO NOTHING;
  SELECT revision INTO current FROM privet.revisions WHERE kind = what FOR UPDATE;
  IF expected IS NOT NULL AND expected <> current THEN RETURN -1; END IF;
  DELETE FROM privet.records r USING jsonb_each(changes) AS c WHERE r.kind = what AND r.id = c.key AND c.value = 'null';
  INSERT INTO privet.records (kind, id, value)
    SELECT what, c.key, c.value #>> '{}' FROM jsonb_each(changes) AS c WHERE c.value <> 'null'
    ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value;
  UPDATE privet.revisions SET revision = current + 1 WHERE kind = what;
  -- A notification holds 8000 bytes at most.
  PERFORM pg_notify('privet_changes', CASE WHEN octet_length(ids::text) < 7000
    THEN jsonb_build_object('kind', what, 'ids', ids) ELSE jsonb_build_object('kind', what) END::text);
  RETURN current + 1;
END $$;
`;
