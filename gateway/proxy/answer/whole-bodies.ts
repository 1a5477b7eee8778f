/** Restores a complete response: a JSON document, or a file with encoded text. */
import { setImmediate } from 'node:timers/promises';
import type { AllowsHost } from '../../../core/guard/url-guard.ts';
import type { DocumentShifts } from '../../../core/payload/offsets.ts';
import { restoreJsonBody } from '../../../core/payload/response.ts';
import type { TokenMap } from '../../../core/vault.ts';
import { restoreDocumentAside } from '../../long-texts/long-texts.ts';
import { restoreCodedFile } from './coded-files.ts';

/** Counts of a finished response; `unreadable` events passed unrestored. */
export type RestoreCounts = { restored: number; unresolved: number; unreadable: number };

/** How the texts of a response are restored. */
export type RestoreOptions = {
  readonly map: TokenMap;
  /** Documents of the request that the response may cite by offset. */
  readonly documents?: DocumentShifts | undefined;
  /** Tokens in the request that replaced numbers. */
  readonly numbers?: ReadonlySet<string> | undefined;
  /** Hosts whose URLs may contain originals; default none. */
  readonly allowsHost?: AllowsHost | undefined;
  /** The same as a list, for threads. */
  readonly linkHosts?: readonly string[] | undefined;
  /** The client, for the turns of large documents. */
  readonly client?: string | undefined;
};

/** The restored body; unchanged if nothing is restored or it cannot be read. */
export function restoredWhole(
  body: Buffer,
  isFile: boolean,
  options: RestoreOptions,
  count: RestoreCounts,
): Uint8Array {
  const { map, allowsHost, documents, numbers } = options;
  if (isFile) return restoreCodedFile({ bytes: body, map, allowsHost, count });
  const text = body.toString('utf8');
  const result = restoreJsonBody(text, map, allowsHost, { documents, numbers });
  count.restored += result.restored;
  count.unresolved += result.unresolved;
  const isDamaged = result.body !== text && text.includes('\ufffd') && !body.equals(Buffer.from(text));
  if (result.isUnreadable || isDamaged) {
    count.unreadable++;
    return body;
  }
  return result.body === text ? body : Buffer.from(result.body, 'utf8');
}

/** Restores in a worker thread. If none is available, the body passes unchanged, tokens included. */
export async function restoredAside(
  document: Buffer,
  isFile: boolean,
  { map, linkHosts = [], numbers, client }: RestoreOptions,
  count: RestoreCounts,
  gone?: AbortSignal,
): Promise<Uint8Array> {
  const valuesOf = async (tokens: readonly string[]) => {
    // Let other tasks run first.
    await setImmediate();
    return tokens.map((token) => map.get(token));
  };
  const job = { document, isFile, linkHosts, numbers };
  const result = await restoreDocumentAside(job, valuesOf, { client, gone }).catch(() => undefined);
  count.restored += result?.isUnreadable ? 0 : (result?.restored ?? 0);
  count.unresolved += result?.unresolved ?? 0;
  if (result === undefined || result.isUnreadable) count.unreadable++;
  return result?.bytes ?? document;
}
