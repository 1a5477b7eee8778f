/** Persists some records of the memory store in a file of the data folder. Durable stores do not need this. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../observe/log.ts';
import { readFileIfPresent, replaceFile } from './atomic-file.ts';
import type { RecordKind } from './records.ts';
import type { Stores } from './stores.ts';

const fileShape = z.strictObject({ version: z.literal(1), records: z.array(z.tuple([z.string(), z.unknown()])) });
const writeMs = 1_000;

/**
 * Loads the records of `<kind>.json` into a memory store and rewrites the file a second after every change. A damaged
 * file is logged and ignored, since the gateway can learn its content again. Call the returned function when the
 * process ends.
 */
export async function keepInFile(options: {
  readonly stores: Pick<Stores, 'kind' | 'records' | 'changes'>;
  readonly kind: RecordKind;
  readonly dataDir: string;
  readonly log: Log;
}): Promise<() => Promise<void>> {
  const { stores, kind, dataDir, log } = options;
  if (stores.kind !== 'memory') return async () => {};
  const file = join(dataDir, `${kind}.json`);
  let timer: NodeJS.Timeout | undefined;
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      const { records } = await stores.records.list(kind);
      replaceFile(file, `${JSON.stringify({ version: 1, records: [...records] })}\n`);
    } catch (error) {
      log.error({ event: 'file_not_written', kind, error }, 'learned data could not be written to the data folder');
    }
  };
  try {
    const text = readFileIfPresent(file);
    const kept = text === undefined ? [] : fileShape.parse(JSON.parse(text)).records;
    if (kept.length > 0) await stores.records.write(kind, new Map(kept));
  } catch (error) {
    log.error({ event: 'file_not_read', kind, error }, `${kind}.json in the data folder cannot be read and is ignored`);
  }
  const end = stores.changes.onChange((change) => {
    if (change.kind === kind) timer ??= setTimeout(() => void write(), writeMs).unref();
  });
  return async () => {
    end();
    if (timer !== undefined) await write();
  };
}
