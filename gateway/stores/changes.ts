/** Notifies this process of what any process has written, within a second. */

import { PrivetError } from '../../core/errors.ts';
import { parseJson } from '../../core/parsing.ts';
import { type RecordKind, type RecordSet, type Records, recordKinds } from './records.ts';

/** Records of a kind have changed; without `ids` any of them may have. */
export type Change = { readonly kind: RecordKind; readonly ids?: readonly string[] };

/** Notifications of written records. */
export interface ChangeFeed {
  /**
   * Calls back after every change, including those of this process; the result unsubscribes. Changes missed while the
   * store was unavailable are reported without `ids`.
   */
  onChange(listener: (change: Change) => void): () => void;
  /**
   * For a listener that could not read what changed: repeats the notification for this kind shortly. Does nothing while
   * the store is unavailable, since everything is reported again when it is back.
   */
  again(kind: RecordKind): void;
  /** False while changes of other processes may be missed: cached store data must then be read again. */
  readonly isLive: boolean;
}

const againMs = 250;

/** Parses a notification; undefined for anything that is not ours, such as another application's NOTIFY. */
export function changeOf(message: string): Change | undefined {
  const told = parseJson(message);
  const { kind, ids } = Object(told) as { kind?: unknown; ids?: unknown };
  const isKind = (recordKinds as readonly unknown[]).includes(kind);
  const isList = ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === 'string'));
  return isKind && isList ? (told as Change) : undefined;
}

/** Passes changes to listeners; the back ends push into it. A listener that throws does not affect the others. */
export class ChangeEmitter implements ChangeFeed {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #again = new Set<RecordKind>();
  readonly #isLive: () => boolean;

  /** `isLive`: whether changes of other processes are currently received. */
  constructor(isLive: () => boolean) {
    this.#isLive = isLive;
  }

  get isLive(): boolean {
    return this.#isLive();
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(change: Change): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  again(kind: RecordKind): void {
    if (this.#again.has(kind) || !this.isLive) return;
    this.#again.add(kind);
    setTimeout(() => {
      this.#again.delete(kind);
      this.emit({ kind });
    }, againMs).unref();
  }

  /** Receives a notification from another process. If it cannot be parsed, anything may have changed. */
  hear(message: string): void {
    const change = changeOf(message);
    if (change === undefined) this.emitAll();
    else this.emit(change);
  }

  /** Reports that anything may have changed. */
  emitAll(): void {
    for (const kind of recordKinds) this.emit({ kind });
  }
}

/** Records whose changes are announced; a back end adds the storage. */
export abstract class AnnouncedRecords implements Records {
  protected readonly changes: ChangeEmitter;

  constructor(changes: ChangeEmitter) {
    this.changes = changes;
  }

  abstract get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet>;
  abstract list(kind: RecordKind): Promise<RecordSet>;

  async write(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    { ifRevision }: { readonly ifRevision?: number } = {},
  ): Promise<number> {
    const revision = await this.put(kind, changes, ifRevision);
    if (revision === undefined)
      throw new PrivetError('conflict', 'Someone else changed it in the meantime.', { hint: 'Try again.' });
    this.changes.emit({ kind, ids: [...changes.keys()] });
    return revision;
  }

  /** Writes all or nothing; undefined, and nothing, when `ifRevision` is given and outdated. */
  protected abstract put(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    ifRevision: number | undefined,
  ): Promise<number | undefined>;
}
