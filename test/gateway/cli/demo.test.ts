/** `privet demo` as a user runs it: one command, a real exchange through the proxy, a page, and a clean end. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jsonPost } from '../../support/json-post.ts';
import { plainEnv, run } from '../../support/run.ts';
import { tempFolder } from '../../support/temp.ts';

const main = resolve(import.meta.dirname, '../../../gateway/main.ts');

/** `folder` holds its temporary files. */
function startDemo() {
  const folder = tempFolder('demo');
  const child = spawn(process.execPath, [main, 'demo', '--port', '0'], { env: { ...plainEnv(), TMPDIR: folder } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, folder };
}

test('shows a masked and restored exchange and a page, and ends at SIGINT with nothing left', async () => {
  const { child, folder } = startDemo();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  await expect.poll(() => output).toContain('Press Ctrl-C to stop.');

  const [, got = '', said = '', read = ''] =
    new RegExp(
      String.raw`2 {2}The model received:\n(.*?)\n3? *3 {2}The model answered:\n(.*?)\n *4 {2}The program received:\n(.*?)\n` +
        ' *Type your own',
      's',
    ).exec(output) ?? [];
  expect(got).toContain('You can reach me at [EMAIL-1] or [PHONE-1].');
  expect(`${got}${said}`).not.toMatch(/Emma|example\.com|4242|7946/);
  expect(said).toContain('I will write to [EMAIL-1] today.');
  expect(read).toContain('Dear Emma Clarke,');
  expect(read).toContain('I will write to emma.clarke@example.com today.');

  const [, page = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/console\//.exec(output) ?? [];
  const [, key = ''] = /key (pvt_admin_\w+)/.exec(output) ?? [];
  const message = 'Write to Ana Gomez at ana@example.com, please.';
  const answer = await fetch(`${page}/demo/chat`, jsonPost({ message }));
  const chat = (await answer.json()) as { sent: { content: string }[]; masked: string; text: string };
  expect(chat.sent[0]?.content).not.toContain('ana@example.com');
  expect(chat.masked).toContain('[EMAIL-1]');
  expect(chat.text).toContain('ana@example.com');
  const events = async () =>
    (await fetch(`${page}/admin/events`, { headers: { authorization: `Bearer ${key}` } })).json();
  await expect.poll(events).toMatchObject({ events: [{ host: 'api.openai.com' }] });

  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('leaves nothing when its terminal closes before its first output', async () => {
  const { child, folder } = startDemo();
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await ended).toBe(141);
  expect(readdirSync(folder)).toEqual([]);
});

test('an invalid port is reported', async () => {
  const result = await run(process.execPath, [main, 'demo', '--port', 'x'], { cwd: join(main, '../..') });
  expect(result.code).toBe(2);
  expect(result.stderr).toBe('privet demo: --port x: must be a number up to 65535\n');
});
