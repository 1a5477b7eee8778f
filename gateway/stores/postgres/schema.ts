/**
 * The schema for PostgreSQL 13 or later, as append-only migrations. A whole call runs in one function, which takes one
 * round trip. Rows are locked in a fixed order (limit, tenant, key, session), so that calls cannot deadlock.
 */
import { functions, tables } from './first-schema.ts';
import { numberLines } from './number-lines-schema.ts';

const eventColumns = `
ALTER TABLE privet.events ADD COLUMN host text NOT NULL DEFAULT '', ADD COLUMN types text NOT NULL DEFAULT '';
DROP INDEX privet.events_at;
CREATE INDEX events_at ON privet.events (at, id);
CREATE INDEX events_subject ON privet.events (subject, at, id);
CREATE INDEX events_host ON privet.events (host, at, id);
CREATE INDEX events_service ON privet.events (service, at, id);
CREATE INDEX events_action ON privet.events (action, at, id);
CREATE INDEX events_types ON privet.events (at, id) WHERE types <> '';
CREATE TABLE privet.rollups (level text NOT NULL, at bigint NOT NULL, part text NOT NULL, counts text NOT NULL,
  tops text NOT NULL, PRIMARY KEY (level, at, part)) WITH (fillfactor = 50);
`;

const refunds = `
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

-- A window that ends later than any that begins now is of a clock that was put back since.
CREATE OR REPLACE FUNCTION privet.take_rate(rate_id text, rate_limit bigint, window_ms bigint) RETURNS jsonb
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
`;

const takenAsObject = `
CREATE OR REPLACE FUNCTION privet.reserve(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  held privet.sessions := privet.use_session(reserve);
  -- An object: in a list each number would be looked for from the beginning.
  taken jsonb := (SELECT coalesce(jsonb_object_agg(word, 1), '{}') FROM jsonb_array_elements_text(reserve->'taken') AS word);
  tokens text[] := '{}';
  entry jsonb;
  hashes text[];
  name text;
  n bigint;
BEGIN
  IF held.id IS NULL THEN RAISE EXCEPTION USING ERRCODE = 'PV404', MESSAGE = 'unknown session'; END IF;
  FOR entry IN SELECT jsonb_array_elements(reserve->'entries') LOOP
    hashes := ARRAY(SELECT jsonb_array_elements_text(entry->'hashes'));
    SELECT token INTO name FROM privet.tokens WHERE session = held.id AND hash = ANY (hashes) LIMIT 1;
    IF name IS NOT NULL THEN
      IF (entry->>'bracketed')::boolean THEN
        UPDATE privet.tokens SET bracketed = true WHERE session = held.id AND token = name AND NOT bracketed;
      END IF;
    ELSE
      held.tokens := held.tokens + 1;
      IF held.tokens > (reserve->>'tokensMax')::integer THEN
        RAISE EXCEPTION USING ERRCODE = 'PV503', MESSAGE = 'full session';
      END IF;
      name := entry->>'token';
      IF name IS NULL THEN
        n := coalesce((held.counters->>(entry->>'prefix'))::bigint, 0);
        LOOP
          n := n + 1;
          name := (entry->>'prefix') || n || ']';
          EXIT WHEN NOT taken ? name
            AND NOT EXISTS (SELECT 1 FROM privet.tokens WHERE session = held.id AND token = name);
        END LOOP;
        held.counters := held.counters || jsonb_build_object(entry->>'prefix', n);
      END IF;
      INSERT INTO privet.tokens (session, token, tenant, hash, data, bracketed)
        VALUES (held.id, name, held.tenant, hashes[1], entry->>'data', (entry->>'bracketed')::boolean);
      IF reserve->'key' IS NOT NULL THEN
        INSERT INTO privet.session_keys (session, id, wrapped)
          VALUES (held.id, reserve->'key'->>'id', reserve->'key'->>'wrapped') ON CONFLICT DO NOTHING;
      END IF;
    END IF;
    tokens := tokens || name;
  END LOOP;
  UPDATE privet.sessions SET tokens = held.tokens, counters = held.counters, ttl_ms = held.ttl_ms,
    expires_at = CASE WHEN held.ttl_ms > 0 THEN privet.now_ms() + held.ttl_ms END WHERE id = held.id;
  RETURN to_jsonb(tokens);
END $$;
`;

/**
 * The planner keeps one plan for all values of a call. A plan made for a list of hashes, or while the table was small,
 * would scan everything the call has added before each further value. So per-value work must not depend on estimates:
 * only one index provides the order that the hash search asks for, a free name is found by the constraint, and a row by
 * its ctid (nobody else changes it: its session is locked).
 */
const foundByIndex = `
CREATE OR REPLACE FUNCTION privet.reserve(reserve jsonb) RETURNS jsonb LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_sort = off AS $$
DECLARE
  held privet.sessions := privet.use_session(reserve);
  -- An object: in a list each number would be looked for from the beginning.
  taken jsonb := (SELECT coalesce(jsonb_object_agg(word, 1), '{}') FROM jsonb_array_elements_text(reserve->'taken') AS word);
  tokens text[] := '{}';
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
      held.tokens := held.tokens + 1;
      IF held.tokens > (reserve->>'tokensMax')::integer THEN
        RAISE EXCEPTION USING ERRCODE = 'PV503', MESSAGE = 'full session';
      END IF;
      name := entry->>'token';
      IF name IS NULL THEN
        n := coalesce((held.counters->>(entry->>'prefix'))::bigint, 0);
        LOOP
          n := n + 1;
          name := (entry->>'prefix') || n || ']';
          CONTINUE WHEN taken ? name;
          INSERT INTO privet.tokens (session, token, tenant, hash, data, bracketed)
            VALUES (held.id, name, held.tenant, hashes[1], entry->>'data', (entry->>'bracketed')::boolean)
            ON CONFLICT (session, token) DO NOTHING;
          EXIT WHEN FOUND;
        END LOOP;
        held.counters := held.counters || jsonb_build_object(entry->>'prefix', n);
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
  UPDATE privet.sessions SET tokens = held.tokens, counters = held.counters, ttl_ms = held.ttl_ms,
    expires_at = CASE WHEN held.ttl_ms > 0 THEN privet.now_ms() + held.ttl_ms END WHERE id = held.id;
  RETURN to_jsonb(tokens);
END $$;

-- Planned at each call, for the table as it is now.
ALTER FUNCTION privet.resolve(text, text[]) SET plan_cache_mode = force_custom_plan;
`;

/** SQL by version, starting with 1. */
export const migrations: readonly string[] = [
  tables + functions,
  eventColumns,
  refunds,
  takenAsObject,
  foundByIndex,
  numberLines,
];
