/**
 * A request over HTTP/2 that is given up while its body waits for room at the origin. The pair of calls is undici's; in a
 * process of its own, because without our change it hangs.
 */
import { expect, test } from 'vitest';
import { run } from '../../support/run.ts';

const program = (prepare: string): string => `
  import http2 from 'node:http2';
  ${prepare}
  const server = http2.createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.pause();
    stream.once('close', () => {
      console.log('reset with', stream.rstCode);
      process.exit();
    });
    setTimeout(() => stream.session.setLocalWindowSize(1_000_000), 200);
    setTimeout(() => stream.resume(), 200);
  });
  server.listen(0, '127.0.0.1', () => {
    const session = http2.connect('http://127.0.0.1:' + server.address().port);
    const stream = session.request({ ':method': 'POST' });
    stream.on('error', () => {});
    stream.end(Buffer.alloc(500_000));
    setTimeout(() => {
      stream.close();
      stream.destroy();
    }, 100);
  });
`;
const ours = `
  import { cancelClosedStreams } from '${new URL('../../../gateway/proxy/http2-cancel.ts', import.meta.url)}';
  cancelClosedStreams();
`;

test('is told to the origin', { timeout: 60_000 }, async () => {
  const { text } = await run(process.execPath, ['--input-type=module', '-e', program(ours)]);
  expect(text.trim()).toBe('reset with 8');
});
