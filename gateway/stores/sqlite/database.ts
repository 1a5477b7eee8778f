/**
 * The SQLite file: its schema, and transactions shared by several callers. Every commit waits for the disk, so the work
 * of one turn of the event loop is committed together and answered afterwards.
 */
import { closeSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { makeFolder } from '../../../certs/folders.ts';
import { PrivetError } from '../../../core/errors.ts';
import { otherVersion } from '../store-errors.ts';

/** How long another process may keep the file locked, in milliseconds. */
const busyMs = 2_000;
/** Delay before a commit is retried while another process holds the lock. */
const againMs = 1;
/** Time limit for starting jobs in one turn. */
const turnMsMax = 10;
/** Free bytes required after the disk was full: small writes would still fit into pages that the file already has. */
const roomBytes = 1 << 20;
/** SQLITE_BUSY, the low byte of what node:sqlite calls `errcode`. */
const busyCode = 5;

/** The version that {@link schema} creates. */
const schemaVersion = 3;
const schema = `
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL,
  ttl_ms INTEGER NOT NULL, expires_at INTEGER, tokens INTEGER NOT NULL DEFAULT 0,
  rolled INTEGER NOT NULL DEFAULT 0);
CREATE INDEX sessions_expiry ON sessions (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX sessions_tenant ON sessions (tenant, key);
CREATE TABLE tokens (
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, token TEXT NOT NULL, tenant TEXT NOT NULL,
  hash TEXT NOT NULL, data TEXT NOT NULL, bracketed INTEGER NOT NULL, PRIMARY KEY (session, token)) WITHOUT ROWID;
CREATE UNIQUE INDEX tokens_hash ON tokens (session, hash);
CREATE INDEX tokens_tenant ON tokens (tenant, token);
CREATE TABLE counters (
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, prefix TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (session, prefix)) WITHOUT ROWID;
CREATE TABLE session_keys (
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, id TEXT NOT NULL, wrapped TEXT NOT NULL,
  PRIMARY KEY (session, id)) WITHOUT ROWID;
CREATE TABLE usage (month TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, used INTEGER NOT NULL,
  PRIMARY KEY (month, kind, id)) WITHOUT ROWID;
CREATE TABLE rates (id TEXT PRIMARY KEY, taken INTEGER NOT NULL, ends_at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE records (kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE revisions (kind TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, subject TEXT NOT NULL,
  service TEXT NOT NULL, action TEXT NOT NULL, fields TEXT NOT NULL,
  host TEXT NOT NULL DEFAULT '', types TEXT NOT NULL DEFAULT '');
CREATE INDEX events_at ON events (at);
CREATE INDEX events_subject ON events (subject, at);
CREATE INDEX events_host ON events (host, at);
CREATE INDEX events_service ON events (service, at);
CREATE INDEX events_action ON events (action, at);
CREATE INDEX events_types ON events (at) WHERE types <> '';
CREATE TABLE rollups (level TEXT NOT NULL, at INTEGER NOT NULL, part TEXT NOT NULL, counts TEXT NOT NULL,
  tops TEXT NOT NULL, PRIMARY KEY (level, at, part));
CREATE TABLE numbers (line INTEGER NOT NULL, prefix TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (line, prefix))
  WITHOUT ROWID;
`;

type Job = {
  readonly work: () => unknown;
  /** It changes nothing, so it does not fail because others' writes do. */
  readonly isRead: boolean;
  readonly done: (value: never) => void;
  readonly failed: (error: unknown) => void;
};

export class SqliteDatabase {
  readonly #file: string;
  readonly #open: () => DatabaseSync;
  #opened: DatabaseSync | undefined;
  #connections = 0;
  #statements = new Map<string, StatementSync>();
  #jobs: Job[] = [];
  #isFailing = true;
  #lacksRoom = false;
  /** Since when a commit has been waiting for another process. */
  #waitingSince: number | undefined;

  private constructor(file: string, open: () => DatabaseSync) {
    this.#file = file;
    this.#open = open;
  }

  /**
   * A file that is opened or created on first use. Operations throw PrivetError `unavailable` when it cannot be opened
   * or was created by another version of Privet.
   */
  static async at(file: string): Promise<SqliteDatabase> {
    const { DatabaseSync } = await import('node:sqlite');
    return new SqliteDatabase(file, () => {
      let database: DatabaseSync | undefined;
      try {
        makeFolder(dirname(file));
        // SQLite gives its other files the mode of this one.
        closeSync(openSync(file, 'a', 0o600));
        database = new DatabaseSync(file, { timeout: busyMs });
        database.exec(
          'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON',
        );
        createSchema(database);
        // From here on the event loop does not block on another process: a locked file is retried later.
        database.exec('PRAGMA busy_timeout = 0');
        return database;
      } catch (error) {
        database?.close();
        if (error instanceof PrivetError) throw error;
        throw new PrivetError('unavailable', `The store ${file} cannot be opened (${reasonOf(error)}).`, {
          cause: error,
        });
      }
    });
  }

  /** False before the first use, and after a failure until an operation succeeds and the disk has space. */
  get isReady(): boolean {
    this.#lacksRoom &&= !hasRoom(this.#file);
    return !this.#isFailing && !this.#lacksRoom;
  }

  /** How often the file has been opened: once, and again after each failure. */
  get connections(): number {
    return this.#connections;
  }

  /** A statement, prepared once. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /**
   * Runs `work` in a transaction together with other waiting work; the promise settles after the commit. If it throws,
   * only its own writes are rolled back.
   */
  write<T>(work: () => T): Promise<T> {
    return this.#enqueue(work, false);
  }

  /**
   * Runs `work`, which must not change anything, without its own transaction and after everything written before. It is
   * retried when the file is locked, or when writes before it failed.
   */
  async read<T>(work: () => T): Promise<T> {
    if (this.#jobs.length > 0 || this.#isFailing) return this.#enqueue(work, true);
    try {
      return work();
    } catch (error) {
      if (isBusy(error)) return this.#enqueue(work, true);
      throw this.#failed(error);
    }
  }

  #enqueue<T>(work: () => T, isRead: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ work, isRead, done: resolve as (value: never) => void, failed: reject });
      if (this.#jobs.length === 1) setImmediate(() => this.#commit());
    });
  }

  close(): void {
    if (this.#jobs.length > 0) this.#commit({ isLast: true });
    if (this.#opened?.isOpen) this.#opened.close();
  }

  get #database(): DatabaseSync {
    if (this.#opened === undefined) {
      this.#opened = this.#open();
      this.#connections++;
    }
    return this.#opened;
  }

  /**
   * `isLast`: block until another process releases the file. Otherwise the event loop continues, and more work is
   * committed together.
   */
  #commit({ isLast = false } = {}): void {
    if (this.#jobs.length === 0) return;
    let jobs: Job[] = [];
    const answers: (() => void)[] = [];
    try {
      if (this.#isFailing && this.#waitingSince === undefined) this.#reopen();
      if (!this.#begin(isLast)) {
        setTimeout(() => this.#commit(), againMs);
        return;
      }
      // Leave long work to the next turn.
      const until = performance.now() + turnMsMax;
      let done = 0;
      do answers.push(this.#runJob(this.#jobs[done++] as Job));
      while (done < this.#jobs.length && (isLast || performance.now() < until));
      jobs = this.#jobs.splice(0, done);
      if (this.#jobs.length > 0) setImmediate(() => this.#commit());
      this.#run('COMMIT');
      this.#isFailing = false;
    } catch (error) {
      const failure = this.#failed(error);
      this.#rollBack();
      if (jobs.length === 0) [jobs, this.#jobs] = [this.#jobs, []];
      for (const job of jobs) this.#fail(job, failure);
      return;
    }
    for (const answer of answers) answer();
  }

  /** Reports the failure of a transaction to one of its jobs; a read is tried once more without the writes. */
  #fail({ isRead, work, done, failed }: Job, failure: unknown): void {
    if (isRead) {
      try {
        done(work() as never);
        return;
      } catch {
        // Reading fails too, for the same reason.
      }
    }
    failed(failure);
  }

  #rollBack(): void {
    try {
      if (this.#opened?.isOpen && this.#opened.isTransaction) this.#opened.exec('ROLLBACK');
    } catch {
      // The failure was reported already; the file is reopened before the next transaction.
    }
  }

  /** Begins a transaction; false when another process is in one and waiting is still allowed. */
  #begin(isLast: boolean): boolean {
    if (isLast) this.#database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    try {
      this.#run('BEGIN IMMEDIATE');
      this.#waitingSince = undefined;
      return true;
    } catch (error) {
      const now = performance.now();
      this.#waitingSince ??= now;
      if (isBusy(error) && !isLast && now - this.#waitingSince < busyMs) return false;
      this.#waitingSince = undefined;
      throw error;
    }
  }

  /** A statement without parameters, prepared once. */
  #run(sql: string): void {
    this.prepare(sql).run();
  }

  /**
   * Returns the callback to run after the commit. Throws for a failure of the file; if the work fails, its writes are
   * rolled back.
   */
  #runJob(job: Job): () => void {
    this.#run('SAVEPOINT job');
    try {
      const value = job.work();
      this.#run('RELEASE job');
      return () => job.done(value as never);
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      this.#database.exec('ROLLBACK TO job; RELEASE job');
      return () => job.failed(error);
    }
  }

  #failed(error: unknown): unknown {
    if (error instanceof PrivetError) return error;
    this.#isFailing = true;
    this.#lacksRoom = !hasRoom(this.#file);
    return new PrivetError('unavailable', `The store does not answer (${reasonOf(error)}).`, { cause: error });
  }

  #reopen(): void {
    this.#statements = new Map();
    if (this.#opened?.isOpen) this.#opened.close();
    this.#opened = undefined;
  }
}

/** False when the disk of `file` is (nearly) full; true also when that is unknown. */
function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize >= roomBytes;
  } catch {
    return true;
  }
}

function createSchema(database: DatabaseSync): void {
  const version = () => Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  // Reopening a file must not wait for another writer.
  if (version() === schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    if (version() === 0) database.exec(`${schema} PRAGMA user_version = ${schemaVersion}`);
    else if (version() !== schemaVersion) throw otherVersion(version() > schemaVersion);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === busyCode;
}

function reasonOf(error: unknown): string {
  const { code, errstr } = error as { code?: string; errstr?: string };
  return errstr ?? code ?? 'unknown error';
}
