/** Rules by upload size: declared, undeclared, with Expect, and over h2; and report-only rules. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { type RunResult, run } from '../support/run.ts';

const watched = 'aider.chat';
const approved = 'api.openai.com';
const plain = 'files.intranet.test';
const names = [watched, approved, plain];

const origin = await startOrigin({ names });
const gateway = await startGateway({
  hosts: Object.fromEntries(names.map((name) => [name, origin])),
  config: {
    policy: {
      rules: [
        {
          name: 'noted',
          report_only: true,
          when: { hosts: [approved], upload_over: '10B' },
          then: { action: 'block' },
        },
        { name: 'large', when: { hosts: names, upload_over: '100kB' }, then: { action: 'block' } },
      ],
    },
  },
});
beforeEach(() => origin.reset());

const small = 'word '.repeat(20_000);
const large = `${small}x`;
function send(host: string, body: string, ...args: string[]): Promise<RunResult> {
  const all = [
    '-sSi',
    '-x',
    gateway.proxyUrl,
    '--cacert',
    gateway.caFile,
    '-H',
    'Content-Type: text/plain',
    '--data-binary',
    '@-',
    ...args,
  ];
  return run(programPath('curl'), [...all, `https://${host}/upload`], { input: body });
}
const chunked = ['-H', 'Transfer-Encoding: chunked', '--http1.1'];

describe.each([watched, approved, plain])('%s', (host) => {
  test.each<[string, string[]]>([
    ['announced', ['--http1.1']],
    ['over h2', ['--http2']],
    ['undeclared', chunked],
    ['undeclared, waiting for 100', [...chunked, '-H', 'Expect: 100-continue']],
    ['declared, waiting for 100', ['--http1.1', '-H', 'Expect: 100-continue']],
  ])('%s', async (_name, args) => {
    const passed = await send(host, small, ...args);
    expect(passed.text).toMatch(/^HTTP\/[\d.]+ 200/m);
    expect(origin.requests.at(-1)?.body.toString()).toBe(small);
    origin.reset();
    const refused = await send(host, large, ...args);
    expect(refused.text).toMatch(/^HTTP\/[\d.]+ 403/m);
    expect(refused.text).toContain('rule \\"large\\"');
    expect(origin.requests).toEqual([]);
  });
});

test('a client that resets its HTTP/2 connection after a refusal no longer counts', async () => {
  for (let i = 0; i < 5; i++) expect((await send(watched, large, '--http2')).text).toMatch(/^HTTP\/[\d.]+ 403/m);
  await expect
    .poll(async () => (await fetch(`${gateway.apiUrl}/metrics`)).text())
    .toContain('privet_connections{kind="intercepted"} 0');
});

test('the declared total size of a chunked upload counts', async () => {
  for (const field of [
    'Content-Range: bytes 0-9/100001',
    'X-Goog-Upload-Header-Content-Length: 100001',
    'Upload-Length: 100001',
    'Content-Range: bytes 99991-100000/*',
    'Upload-Offset: 99991',
    'X-Goog-Upload-Offset: 99991',
  ]) {
    const refused = await send(watched, 'x'.repeat(10), '-H', field);
    expect(refused.text).toMatch(/^HTTP\/[\d.]+ 403/m);
  }
  expect((await send(watched, 'x'.repeat(10), '-H', 'Content-Range: bytes 0-9/100000')).text).toMatch(
    /^HTTP\/[\d.]+ 200/m,
  );
});

test.each([
  ['Upload-Length: 1', chunked],
  ['X-Upload-Content-Length: 1', chunked],
  ['Content-Range: bytes 0-0/1', chunked],
  ['Upload-Length: 1', ['--http2']],
  ['Content-Type: application/grpc', ['--http1.1']],
])('a field that declares less than is sent is ignored: %s', async (field, args) => {
  expect((await send(watched, large, ...args, '-H', field)).text).toMatch(/^HTTP\/[\d.]+ 403/m);
  expect(origin.requests).toEqual([]);
});

test('a report_only rule changes nothing and appears in the event and metrics', async () => {
  const before = gateway.events().length;
  await send(approved, small);
  const event = await gateway.event(
    (one) => one.event === 'decision' && one.host === approved && gateway.events().indexOf(one) >= before,
  );
  expect(event).toMatchObject({
    action: 'allow',
    rule: 'category approved',
    status: 200,
    wouldAction: 'block',
    wouldRule: 'noted',
  });
  expect(await (await gateway.api('/metrics')).text()).toMatch(/privet_report_only_total\{action="block"\} [1-9]/);
});
