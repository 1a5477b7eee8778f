import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StdoutSink } from '../../../gateway/observe/stdout-sink.ts';
import { tempFolder } from '../../support/temp.ts';

function openFile(): { fd: number; text: () => string } {
  const file = join(tempFolder('stdout'), 'out');
  const fd = openSync(file, 'w');
  onTestFinished(() => closeSync(fd));
  return { fd, text: () => readFileSync(file, 'utf8') };
}

/** The writing end of a pipe, its reader, and a sink that writes to it in a separate process. */
function startWriter(body: string) {
  const url = new URL('../../../gateway/observe/stdout-sink.ts', import.meta.url).href;
  const script = `import { StdoutSink } from ${JSON.stringify(url)}; void process.stdout;
    const sink = new StdoutSink(1); ${body}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] });
}

test('lines arrive in order, each once, whether written in the background or at the end', async () => {
  const { fd, text } = openFile();
  const sink = new StdoutSink(fd);
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} 語\n`);
  for (const line of lines.slice(0, 19_000)) sink.write(line);
  await vi.waitFor(() => expect(text()).toHaveLength(lines.slice(0, 19_000).join('').length), { timeout: 60_000 });
  for (const line of lines.slice(19_000)) sink.write(line);
  sink.flushSync();
  await vi.waitFor(() => expect([...text().matchAll(/.+\n/g)].length).toBe(20_000), { timeout: 60_000 });
  expect(new Set(text().split('\n')).size).toBe(20_001);
});

test('a slow reader gets everything', async () => {
  const child = startWriter("for (let i = 0; i < 50_000; i++) sink.write(i + ' ' + 'x'.repeat(40) + '\\n');");
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  expect(text.trimEnd().split('\n').map(Number.parseFloat)).toEqual(Array.from({ length: 50_000 }, (_, i) => i));
});

test('a process whose reader is gone still exits', async () => {
  const child = startWriter(`
    process.stdin.once('data', () => {
      sink.write('nobody reads this\\n');
      sink.flushSync();
      process.exit(7);
    });`);
  child.stdout.destroy();
  child.stdin.write('go');
  expect(await once(child, 'exit')).toEqual([7, null]);
});

test('lines over the buffer of a blocked reader are dropped and counted', async () => {
  const child = startWriter(`
    let dropped = 0;
    sink.on('drop', () => dropped++);
    for (let i = 0; i < 40; i++) sink.write('x'.repeat(1_000_000));
    process.exitCode = dropped;`);
  let length = 0;
  for await (const chunk of child.stdout) length += chunk.length;
  const lost = 40 - length / 1_000_000;
  expect(lost).toBeGreaterThan(20);
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(lost);
});

test('a reader that starts reading at process exit gets complete lines', async () => {
  // The pipe is full before the signal, in the middle of a line.
  const child = startWriter(`
    for (let i = 0; i < 3_000; i++) sink.write(i + ' ' + 'x'.repeat(400) + '\\n');
    process.stdin.once('data', () => {
      for (let i = 3_000; i < 3_010; i++) sink.write(i + ' ' + 'x'.repeat(400) + '\\n');
      sink.flushSync();
      process.exit(0);
    });`);
  child.stdin.write('go');
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  expect(text.trimEnd().split('\n').map(Number.parseFloat)).toEqual(Array.from({ length: 3_010 }, (_, i) => i));
});

test('a process whose reader does not read still exits', async () => {
  const child = startWriter(`
    for (let i = 0; i < 10; i++) sink.write('x'.repeat(1_000_000));
    setTimeout(() => {
      sink.flushSync();
      process.exit(7);
    }, 100);`);
  expect(await once(child, 'exit')).toEqual([7, null]);
});
