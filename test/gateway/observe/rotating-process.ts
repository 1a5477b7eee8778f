/** A process that writes 3,000 lines to a file that is shared and rotated often; run with `node`. */
import { join } from 'node:path';
import { FileSink } from '../../../gateway/observe/sinks/file-sink.ts';
import { collectLog } from './audit-under-test.ts';

const [folder = '', id = ''] = process.argv.slice(2);
const sink = new FileSink({
  path: join(folder, 'audit.log'),
  rotate: { size: 3_000, every: null, keep: 100_000, gzip: true },
  log: collectLog().log,
  onDropped: () => process.exit(1),
  flushMs: 1,
});
for (let i = 0; i < 3_000; i++) {
  sink.write(`${id} ${i} ${'.'.repeat(80)}`);
  if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await sink.close();
