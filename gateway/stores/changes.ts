/** Tells this process what another one (or itself) has written, within a second. */
import { type RecordKind, recordKinds } from './records.ts';

/** Records of a kind have changed; without `ids` any of them may have. */
export type Change = { readonly kind: RecordKind; readonly ids?: readonly string[] };

/** News of written records. */
export interface ChangeFeed {
  /** Calls back after every change, also one of this process; the result ends it. Changes missed while the store was away are told without `ids`. */
  onChange(listener: (change: Change) => void): () => void;
  /**
   * For a listener that could not read what it was told of: tells all of this kind again in a moment. While the store is
   * away it does nothing, since everything is told anew when it is back.
   */
  again(kind: RecordKind): void;
  /** False while changes of other processes may be missed: what is kept of the store must be asked for anew. */
  readonly isLive: boolean;
}

const againMs = 250;

/** What another process has told; undefined for what none of ours says, as a NOTIFY of somebody else. */
export function changeOf(message: string): Change | undefined {
  let told: unknown;
  try {
    told = JSON.parse(message);
  } catch {
    return undefined;
  }
  const { kind, ids } = Object(told) as { kind?: unknown; ids?: unknown };
  const isKind = (recordKinds as readonly unknown[]).includes(kind);
  const isList = ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === 'string'));
  return isKind && isList ? (told as Change) : undefined;
}

/** Hands changes to listeners; the back ends push into it. A listener that throws does not keep others from hearing. */
export class ChangeEmitter implements ChangeFeed {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #again = new Set<RecordKind>();
  readonly #isLive: () => boolean;

  /** `isLive`: whether changes of other processes are heard now. */
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

  /** Takes what another process has told. What is no change of ours may have been meant as one of anything. */
  hear(message: string): void {
    const change = changeOf(message);
    if (change === undefined) this.emitAll();
    else this.emit(change);
  }

  /** Anything may have changed. */
  emitAll(): void {
    for (const kind of recordKinds) this.emit({ kind });
  }
}
