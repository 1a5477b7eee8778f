/**
 * The audit trail: one event per decision, written to the configured sinks, or to the log as event `decision`. It
 * counts PII by type and contains no value, path, query or header.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/load.ts';
import type { Commit } from '../reconfigurable.ts';
import { type AuditEvent, type AuditFields, auditFields } from './audit-event.ts';
import { machineName } from './formats/format.ts';
import type { Log } from './log.ts';
import { outcomeOf } from './outcome.ts';
import { type AuditSettings, type Outlet, openSinks, type SinkParts } from './sinks/open-sinks.ts';
import type { OnDropped } from './sinks/sink.ts';

export type AuditOptions = {
  readonly settings: AuditSettings;
  readonly log: Log;
  readonly version: string;
  readonly stdout: (line: string) => void;
  readonly onDropped?: OnDropped;
  /** Receives the fields of every event, to store them elsewhere as well. */
  readonly onEvent?: (fields: AuditFields) => void;
};

export class AuditLog {
  readonly #options: AuditOptions;
  readonly #parts: SinkParts;
  #settings: AuditSettings;
  #outlets: readonly Outlet[];

  /** @throws PrivetError `unavailable` when a file cannot be opened. */
  constructor(options: AuditOptions) {
    this.#options = options;
    const { log, stdout, onDropped = () => {} } = options;
    this.#parts = { log, stdout, onDropped, hostname: machineName() };
    this.#settings = options.settings;
    this.#outlets = openSinks(options.settings, this.#parts);
  }

  /** Writes one event; never blocks and never throws. */
  write(event: AuditEvent): void {
    const fields = auditFields(event);
    this.#options.onEvent?.(fields);
    if (this.#outlets.length === 0) {
      this.#options.log.info({ event: 'decision', ...fields }, 'decision');
      return;
    }
    const at = new Date();
    const { syslog: severity } = outcomeOf(fields);
    const written = { at, version: this.#options.version, hostname: this.#parts.hostname };
    for (const { sink, format } of this.#outlets) sink.write(format(fields, written), at, severity);
  }

  /**
   * Other settings. The new sinks are opened before the old ones are closed: on failure the old ones stay. With equal
   * settings the files are reopened. @throws PrivetError `unavailable`
   */
  prepare({ log: { audit: settings } }: { readonly log: Pick<Config['log'], 'audit'> }): Commit {
    if (isDeepStrictEqual(settings, this.#settings)) return () => this.reopen();
    const next = openSinks(settings, this.#parts);
    return () => {
      const old = this.#outlets;
      this.#outlets = next;
      this.#settings = settings;
      for (const { sink } of old) void sink.close();
    };
  }

  /** Reopens files, after they were moved away for rotation. */
  reopen(): void {
    for (const { sink } of this.#outlets) sink.reopen();
  }

  /** Flushes and closes the sinks; later events go to the log. */
  async close(): Promise<void> {
    const old = this.#outlets;
    this.#outlets = [];
    await Promise.all(old.map(({ sink }) => sink.close()));
  }
}
