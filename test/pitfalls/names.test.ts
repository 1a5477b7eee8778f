/** One host, one decision, one certificate, however its name is spelled. */
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { openTls, sendTls } from '../support/tunnel.ts';

// Blocked, approved (and therefore inspected), and unregistered.
const blocked = '01.ai';
const approved = 'chatgpt.com';
const international = 'xn--bcher-kva.example';
/** Separate services whose names look like the approved one. */
const lookalikes: [host: string, how: string][] = [
  ['сhatgpt.com', 'a Cyrillic letter'],
  ['chatgрt.com', 'another Cyrillic letter'],
  ['chatgpt.com.evil.example', 'a name in front of another'],
  ['chatgpt-com.example', 'a hyphen'],
  ['chatgpt.co', 'a letter less'],
];

// What an origin's certificate contains besides the requested name.
const origin = await startOrigin({ names: [approved, 'bank.example', '*.evil.example', international] });
const similar = lookalikes.map(([host]) => domainToASCII(host));
const hosts = Object.fromEntries([blocked, approved, international, ...similar].map((host) => [host, origin]));
const gateway = await startGateway({ hosts });
for (const domain of ['bücher.example', ...similar]) {
  const service = { service_name: domain, domain, category: 'approved' };
  const created = await gateway.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) });
  expect(created.status).toBe(201);
}

/** The status of a CONNECT and of a GET for a host in this spelling (sent as UTF-8). */
async function verdicts(host: string): Promise<number[]> {
  const bytes = Buffer.from(host).toString('latin1');
  const heads = [
    `CONNECT ${bytes}:443 HTTP/1.1\r\nHost: ${bytes}:443\r\n\r\n`,
    `GET http://${bytes}/ HTTP/1.1\r\nHost: ${bytes}\r\n\r\n`,
  ];
  const answers = heads.map((head) =>
    exchangeRaw(gateway.proxyPort, head, { until: (text) => text.includes('\r\n\r\n') }),
  );
  return (await Promise.all(answers)).map((answer) => Number(answer.split(' ')[1]));
}

test.each(['b\xbass.test', 'x.unk\xadnown.test'])('a non-ASCII Host field is not another name: %j', async (name) => {
  const asked = `GET http://${domainToASCII(name)}/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`;
  const answer = await exchangeRaw(gateway.proxyPort, asked, { until: (text) => text.includes('\r\n\r\n') });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ...[
    '01.AI',
    '01.ai.',
    '01.Ai.',
    'WWW.01.AI',
    'a.b.01.ai.',
    '01。ai',
    '01．ai',
    '０１.ai',
    '01.ａｉ',
    '01.ａI｡',
    '⓪①.ai',
  ],
  ...['01.\u00adai', '01.a\u200di', '\u{1d7ce}1.ai', '01.ℹ'.replace('ℹ', 'aⅰ')],
])('a blocked host is refused, also as %s', async (host) => {
  const before = origin.connections();
  const statuses = await verdicts(host);
  // A meaningless spelling is refused as such.
  for (const status of statuses) expect([400, 403]).toContain(status);
  expect(origin.connections()).toBe(before);
});

test.each([
  ...[
    // A host is ASCII on the wire (RFC 3986); browsers never send anything else.
    'ｃhatgpt.com',
    'chatgpt。com',
    'chatgpt．com｡',
    'bücher.example',
    'chatgpt.com..',
    '.chatgpt.com',
    'chatgpt..com',
    '.',
    '..',
    'chat%67pt.com',
    'chatgpt.com%00',
    'chatgpt.com%2eevil.example',
  ],
  ...[
    'chatgpt.com@evil.example',
    'evil.example@chatgpt.com',
    'chatgpt.com＠evil.example',
    'chatgpt.com／x',
    'chatgpt.com\\x',
  ],
  ...[
    'chatgpt.com\x01',
    'chatgpt.com\x7f',
    'chatgpt.com\u3000',
    'chatgpt.com?x',
    'chatgpt.com#',
    'chatgpt.com;x',
    'chatgpt.com,x',
  ],
  ...[
    '*.chatgpt.com',
    'xn--chatgpt-.com',
    'xn--.com',
    `${'a'.repeat(64)}.com`,
    `${`${'a'.repeat(63)}.`.repeat(4)}com`,
    '1.2.3.4.5',
  ],
  ...[
    '256.1.1.1',
    '4294967296',
    'a.0x4',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[::1',
    '::1]',
    '[127.0.0.1]',
    '[chatgpt.com]',
    '[::1]x',
  ],
])('a host without a canonical spelling is 400: %j', async (host) => {
  const before = origin.connections();
  const statuses = await verdicts(host);
  // A character that ends the host in a URL leaves a different host before it.
  const inUrl = /[/?#]/.test(host) ? [400, 403] : [400];
  expect([statuses[0], inUrl.includes(statuses[1] ?? 0)]).toEqual([400, true]);
  expect(origin.connections()).toBe(before);
});

describe('the certificate that is shown', () => {
  /** Opens a tunnel to a host in this spelling and inspects the leaf. */
  async function leafFor(host: string, serverName: string): Promise<DetailedPeerCertificate> {
    const socket = await openTls(gateway, `${host}:443`, { serverName });
    expect(socket).toBeInstanceOf(TLSSocket);
    const leaf = socket.getPeerCertificate(true);
    socket.destroy();
    return leaf;
  }

  test.each([
    ...['chatgpt.com', 'ChatGPT.com', 'CHATGPT.COM', 'chatgpt.com.'].map((host) => [host, approved]),
    ...['xn--bcher-kva.example', 'XN--BCHER-KVA.example', 'xn--BCHER-kva.EXAMPLE.'].map((host) => [
      host,
      international,
    ]),
  ] as [string, string][])('%s gets the certificate of %s only, in any spelling', async (host, name) => {
    const leaf = await leafFor(host, name);
    expect(leaf.subjectaltname).toBe(`DNS:${name}`);
    expect(leaf.issuerCertificate.fingerprint256).not.toBe(leaf.fingerprint256);
  });

  test('another spelling mints no certificate and changes none', async () => {
    const first = await leafFor('chatgpt.com', approved);
    for (const host of ['ChatGPT.com', 'chatgpt.com.', 'CHATGPT.com.']) {
      expect((await leafFor(host, approved)).fingerprint256).toBe(first.fingerprint256);
    }
  });

  test('nothing from the certificate of the origin is copied into it', async () => {
    const { status } = await sendTls(gateway, `${approved}:443`, `GET / HTTP/1.1\r\nHost: ${approved}\r\n\r\n`);
    expect(status).toBe(200);
    const leaf = await leafFor(approved, approved);
    expect(JSON.stringify({ ...leaf, issuerCertificate: undefined, raw: undefined, pubkey: undefined })).not.toMatch(
      /bank|evil/,
    );
    expect(leaf.subjectaltname).toBe(`DNS:${approved}`);
  });

  test.each(lookalikes)('%s, which looks similar (%s), has its own certificate', async (host) => {
    const name = domainToASCII(host);
    expect(name).toMatch(/^[!-~]+$/);
    const leaf = await leafFor(name, name);
    expect(leaf.subjectaltname).toBe(`DNS:${name}`);
    expect(leaf.fingerprint256).not.toBe((await leafFor(approved, approved)).fingerprint256);
    const before = origin.requests.length;
    const shown = await openTls(gateway, `${name}:443`, { serverName: approved }).then(
      (socket) => socket.getPeerCertificate().subjectaltname,
      () => 'refused',
    );
    expect(shown).toBe('refused');
    expect(origin.requests.length).toBe(before);
  });
});
