/** Connections to PostgreSQL: a pool for statements, one for notifications, and the schema. */
import pg from 'pg';
import { isAddressOf } from '../../../config/environment.ts';
import { PrivetError } from '../../../core/errors.ts';
import { sessionUnknown } from '../../../core/vault.ts';
import { otherVersion, refusedValue } from '../store-errors.ts';
import { schema, schemaVersion } from './schema.ts';

const connectionsMax = 10;
/** Includes waiting for a pooled connection: on a busy machine waiting is better than an error. */
const connectMsMax = 5_000;
const statementMsMax = 5_000;
/** Longer than the server needs to report a statement timeout: without its response the two cases look the same. */
const answerMsMax = statementMsMax + 1_000;
const createMsMax = 60_000;
const listenRetryMs = 200;
const listenPingMs = 1_000;
/** An arbitrary lock number that is unlikely to be used elsewhere: "privet" on a telephone keypad. */
const schemaLock = 774838;

/** Errors after which the same statement may succeed at once: a broken deadlock, or a row changed concurrently. */
const passing = new Set(['40P01', '40001']);

export type Row = Readonly<Record<string, unknown>>;

export class PostgresClient {
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  readonly #onError: () => void;
  #listener: pg.Client | undefined;
  #isListening = false;
  #isClosed = false;

  /** @throws PrivetError `invalid_input` for a wrong address. */
  constructor(options: { readonly url: string; readonly onError: () => void }) {
    if (!isAddressOf(options.url, 'postgres')) {
      throw new PrivetError(
        'invalid_input',
        'PROXY_STORE_URL is not a PostgreSQL address like "postgres://user:password@host:5432/database".',
      );
    }
    this.#config = {
      connectionString: options.url,
      application_name: 'privet',
      connectionTimeoutMillis: connectMsMax,
      query_timeout: answerMsMax,
      keepAlive: true,
    };
    checkOptions(this.#config);
    this.#pool = new pg.Pool({
      ...this.#config,
      max: connectionsMax,
      // When the client gives up on a statement, the server continues it and holds its locks, so set a server-side
      // timeout. Not as a connection parameter, because PgBouncer rejects those. The pool waits for it before it hands
      // out the connection: from version 9, pg refuses a statement while another one runs.
      onConnect: (client) => client.query(`SET statement_timeout = ${statementMsMax}`),
    });
    // The pool replaces an idle connection that breaks; without a listener the process would end.
    this.#pool.on('error', () => {});
    this.#onError = options.onError;
  }

  /** Whether the server is reachable, judged by the listening connection. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Runs a statement that the server prepares once per connection. @throws PrivetError `unavailable`. */
  async query(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#pool.query({ name, text, values: [...values] })).rows as Row[];
      } catch (error) {
        if (attempt === 1 && passing.has(String((error as pg.DatabaseError).code))) continue;
        throw this.#failed(error);
      }
    }
  }

  /**
   * Creates the schema if there is none. Replicas that start together wait for each other.
   * @throws PrivetError `unavailable`, or `not_supported` when another version of Privet created the schema.
   */
  async createSchema(): Promise<void> {
    const client = new pg.Client({ ...this.#config, query_timeout: createMsMax });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock]);
      // Even with IF NOT EXISTS, creating a schema needs a database privilege that the schema's owner may lack.
      const { rows: schemas } = await client.query(`SELECT 1 WHERE to_regnamespace('privet') IS NOT NULL`);
      if (schemas.length === 0) await client.query('CREATE SCHEMA privet');
      await client.query(
        'CREATE TABLE IF NOT EXISTS privet.migrations (version integer PRIMARY KEY, applied_at timestamptz)',
      );
      const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM privet.migrations');
      const version = Number((rows as Row[])[0]?.version);
      if (version === 0) {
        await client.query(schema);
        await client.query('INSERT INTO privet.migrations VALUES ($1, now())', [schemaVersion]);
      } else if (version !== schemaVersion) throw otherVersion(version > schemaVersion);
      await client.query('COMMIT');
    } catch (error) {
      throw this.#failed(error);
    } finally {
      client.end().catch(() => {});
    }
  }

  /**
   * Listens for changes until closed; `onMissed` is called after every connect, since notifications may have been
   * missed.
   */
  listen(onMessage: (payload: string) => void, onMissed: () => void): void {
    if (this.#listener !== undefined || this.#isClosed) return;
    const client = new pg.Client(this.#config);
    this.#listener = client;
    let pinging: NodeJS.Timeout | undefined;
    const lost = () => {
      if (this.#listener !== client) return;
      this.#isListening = false;
      this.#listener = undefined;
      clearInterval(pinging);
      client.end().catch(() => {});
      if (!this.#isClosed) setTimeout(() => this.listen(onMessage, onMissed), listenRetryMs).unref();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    client
      .connect()
      .then(() => client.query('LISTEN privet_changes'))
      .then(() => {
        this.#isListening = true;
        // A server that became unreachable does not close the connection, so only a ping detects it.
        pinging = setInterval(() => client.query('SELECT 1').catch(lost), listenPingMs).unref();
        onMissed();
      })
      .catch(lost);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isListening = false;
    await Promise.allSettled([this.#listener?.end(), this.#pool.end()]);
  }

  #failed(error: unknown): PrivetError {
    if (error instanceof PrivetError) return error;
    const { code } = error as { code?: string };
    if (code === 'PV404') return sessionUnknown();
    // Data exceptions, such as a NUL or an invalid cursor. The server is fine.
    if (code?.startsWith('22')) return refusedValue(error);
    this.#onError();
    if (code === '57014') return tookTooLong(error);
    return new PrivetError('unavailable', `The store postgres does not answer (${code ?? 'no connection'}).`, {
      cause: error,
    });
  }
}

/** The server is available and stopped the statement; a retry would take as long. */
function tookTooLong(cause: unknown): PrivetError {
  const seconds = statementMsMax / 1_000;
  return new PrivetError('unavailable', `The store postgres took longer than ${seconds} s and was stopped.`, {
    hint: 'Send a smaller document, or the text in parts that continue one session; if small ones fail too, check the database.',
    cause,
  });
}

/** The driver parses the URL, and the files it names, on every connect, and throws raw errors. */
function checkOptions(config: pg.ClientConfig): void {
  try {
    new pg.Client(config);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'wrong option';
    throw new PrivetError('invalid_input', `PROXY_STORE_URL has an option that cannot be used (${reason}).`, { cause });
  }
}
