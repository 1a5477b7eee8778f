/**
 * Small JSON records by kind and id: accounts, registry changes, policy documents. Each kind has a revision, so that a
 * writer can state which state its change was based on.
 */
import { PrivetError } from '../../core/errors.ts';

export const recordKinds = [
  'account',
  'service',
  'document',
  'policy',
  'exception',
  'acknowledgement',
  'replica',
  'sign-out',
  'discovery',
  'pin',
  'agent',
  'feed',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** All records of a kind at a revision. Revision 0: nothing was ever written. */
export type RecordSet = { readonly revision: number; readonly records: ReadonlyMap<string, unknown> };

/** Reads and writes records; writes are announced to every process through the change feed (changes.ts). */
export interface Records {
  get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet>;
  list(kind: RecordKind): Promise<RecordSet>;
  /**
   * Writes all or nothing; null removes. Returns the new revision.
   * @throws PrivetError `conflict` when `ifRevision` is given and outdated.
   */
  write(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    options?: { readonly ifRevision?: number },
  ): Promise<number>;
}

/** Reads again until nothing has changed meanwhile; calls during a read share it. */
export function following(read: () => Promise<void>): () => Promise<void> {
  let isStale = false;
  let reading: Promise<void> | undefined;
  const readAll = async () => {
    try {
      while (isStale) {
        isStale = false;
        await read();
      }
    } finally {
      // Reset it synchronously: a call before a later callback would share this read, which has already finished.
      reading = undefined;
    }
  };
  return () => {
    isStale = true;
    reading ??= readAll();
    return reading;
  };
}

/** How often a change is retried when another process was faster. */
const attemptsMax = 20;

/**
 * Reads, decides, writes; retries when another process wrote in between.
 * @throws whatever `decide` throws, and PrivetError `conflict` when others were faster every time.
 */
export async function changeRecords<T>(options: {
  readonly records: Records;
  readonly kind: RecordKind;
  readonly read: () => Promise<RecordSet>;
  readonly decide: (set: RecordSet) => { readonly changes: ReadonlyMap<string, unknown>; readonly result: T };
}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const set = await options.read();
    const { changes, result } = options.decide(set);
    if (changes.size === 0) return result;
    try {
      await options.records.write(options.kind, changes, { ifRevision: set.revision });
      return result;
    } catch (error) {
      if (!isConflict(error) || attempt === attemptsMax) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof PrivetError && error.code === 'conflict';
}
