/** Lines in a file: in order, rotated by us or by others, bounded when the disk is full. */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FileSink, type FileSinkOptions } from '../../../gateway/observe/sinks/file-sink.ts';
import { Rotator } from '../../../gateway/observe/sinks/rotation.ts';
import { tempFolder } from '../../support/temp.ts';
import { collectLog } from './audit-under-test.ts';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const read = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

function open(options: Partial<FileSinkOptions> = {}) {
  const path = options.path ?? join(tempFolder('sink'), 'audit.log');
  const { log, events } = collectLog();
  let dropped = 0;
  const onDropped = (_kind: string, lines: number) => {
    dropped += lines;
  };
  const sink = new FileSink({ log, onDropped, ...options, path });
  return { sink, path, events, dropped: () => dropped };
}

test('lines are written automatically, and in order', async () => {
  const { sink, path } = open({ flushMs: 1 });
  for (let i = 0; i < 500; i++) {
    sink.write(String(i));
    if (i % 50 === 0) await sleep(1);
  }
  await expect.poll(() => read(path).length).toBe(500);
  expect(read(path).map(Number)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  await sink.close();
});

test('after a rename, reopen writes to a new file', async () => {
  const { sink, path } = open({ flushMs: 60_000 });
  sink.write('old');
  sink.flush();
  renameSync(path, `${path}.1`);
  sink.reopen();
  sink.write('new');
  await sink.close();
  expect([read(`${path}.1`), read(path)]).toEqual([['old'], ['new']]);
});

test('a file renamed or replaced without notice is followed too', async () => {
  const { sink, path } = open({ flushMs: 60_000 });
  sink.write('one');
  sink.flush();
  renameSync(path, `${path}.1`);
  sink.write('two');
  sink.flush();
  writeFileSync(`${path}.new`, 'of somebody else\n');
  renameSync(`${path}.new`, path);
  sink.write('three');
  sink.flush();
  rmSync(path);
  sink.write('four');
  await sink.close();
  expect([read(`${path}.1`), read(path)]).toEqual([['one'], ['four']]);
});

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  const full = () => {
    const path = join(tempFolder('sink'), 'audit.log');
    symlinkSync('/dev/full', path);
    return path;
  };

  test('pending lines go to the new file after the old one was moved away', async () => {
    const { sink, path, events, dropped } = open({ path: full(), flushMs: 1 });
    sink.write('one');
    await expect.poll(() => events().some(({ event }) => event === 'audit_write_failed')).toBe(true);
    sink.write('two');
    rmSync(path);
    await expect.poll(() => read(path)).toEqual(['one', 'two']);
    await sink.close();
    expect(dropped()).toBe(0);
  });

  test('lines it does not accept by the end are counted', async () => {
    const { sink, events, dropped } = open({ path: full(), flushMs: 1, closeMs: 20 });
    sink.write('one');
    await expect.poll(() => events().length).toBe(1);
    sink.write('two');
    await sink.close();
    expect(dropped()).toBe(2);
  });
});

test('several processes that rotate one file lose no line', async () => {
  const folder = tempFolder('sink');
  const run = (id: string) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, 'rotating-process.ts'), folder, id]);
  await Promise.all(['a', 'b', 'c'].map(run));
  const lines = readdirSync(folder).flatMap((file) => {
    const content = readFileSync(join(folder, file));
    return (file.endsWith('.gz') ? gunzipSync(content) : content).toString().split('\n').filter(Boolean);
  });
  expect(lines).toHaveLength(new Set(lines).size);
  expect(lines).toHaveLength(9_000);
});

test('a file truncated in place continues at its beginning', async () => {
  const { sink, path } = open({ flushMs: 60_000 });
  sink.write('one');
  sink.flush();
  writeFileSync(path, '');
  sink.write('two');
  await sink.close();
  expect(readFileSync(path, 'utf8')).toBe('two\n');
});

test('rotated by size: whole lines, the newest kept, the old ones compressed', async () => {
  const rotate = { size: 1_000, every: null, keep: 3, gzip: true };
  const { sink, path } = open({ flushMs: 60_000, rotate });
  for (let i = 0; i < 100; i++) {
    sink.write(`${String(i).padStart(3, '0')}${'x'.repeat(96)}`);
    if (i % 2) sink.flush();
  }
  await sink.close();
  const olds = readdirSync(join(path, '..')).filter((name) => name !== 'audit.log');
  expect(olds).toHaveLength(3);
  expect(olds.every((name) => /^audit\.log\.\d{8}T\d{6}Z(-\d{3})?\.gz$/.test(name))).toBe(true);
  const plain = (name: string) => name.replace('.gz', '');
  const ordered = olds.sort((a, b) => (plain(a) < plain(b) ? -1 : 1));
  const text = ordered.map((name) => gunzipSync(readFileSync(join(path, '..', name))).toString());
  const numbers = (text.join('') + readFileSync(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.slice(0, 3)));
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 100 - numbers.length + i));
  expect(numbers.length).toBeGreaterThanOrEqual(30);
});

test('rotated by time: lines of another day, also from before the process started', async () => {
  const path = join(tempFolder('sink'), 'audit.log');
  writeFileSync(path, 'yesterday\n');
  utimesSync(path, new Date(), new Date(Date.now() - 86_400_000));
  const { sink } = open({ path, rotate: { size: null, every: 'day', keep: 5, gzip: false } });
  sink.write('today');
  await sink.close();
  const old = readdirSync(join(path, '..')).find((name) => name !== 'audit.log') ?? '';
  expect([read(join(path, '..', old)), read(path)]).toEqual([['yesterday'], ['today']]);
});

describe('when a file is due', () => {
  const at = (text: string) => new Date(`2026-11-20T${text}Z`);
  test.each<
    [name: string, rotation: { size: number | null; every: 'hour' | 'day' | null }, size: number, due: boolean]
  >([
    ['an empty one never', { size: 1, every: 'hour' }, 0, false],
    ['at its size', { size: 10, every: null }, 10, true],
    ['below its size', { size: 10, every: null }, 9, false],
    ['in another hour', { size: null, every: 'hour' }, 1, true],
    ['on the same day', { size: null, every: 'day' }, 1, false],
  ])('%s', (_name, rotation, size, due) => {
    const rotator = new Rotator('/none', { ...rotation, keep: 1, gzip: false }, collectLog().log);
    expect(rotator.isDue(size, at('09:59:59'), at('10:00:00'))).toBe(due);
  });
});

test('lines over a full buffer are dropped and counted', () => {
  const { sink, dropped } = open({ bufferedMax: 2_000, flushMs: 60_000 });
  for (let i = 0; i < 100; i++) sink.write('x'.repeat(99));
  expect(dropped()).toBe(80);
});

test('a full disk is logged once and counted', () => {
  const { sink, events, dropped } = open({ path: '/dev/full', flushMs: 60_000 });
  for (let i = 0; i < 3; i++) {
    sink.write('x');
    sink.flush();
  }
  expect(dropped()).toBe(3);
  expect(events()).toMatchObject([{ event: 'audit_write_failed', error: { code: 'ENOSPC' } }]);
});

test('an unusable file is reported in one sentence', () => {
  expect(() => open({ path: join(tempFolder('sink'), 'none/audit.log') })).toThrow(
    /audit log .* cannot be opened \(ENOENT\)/,
  );
});
