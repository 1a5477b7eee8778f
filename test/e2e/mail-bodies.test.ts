/** Mail and contacts whose text is encoded twice are masked in place, in the real process. */
import { beforeEach, expect, test } from 'vitest';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { sendTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const addressOf = (name: string) => [name, 'corp.example'].join('@');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const origin = await startEcho({ names: [host] });
const gateway = await startGateway({ hosts: { [host]: origin } });
beforeEach(() => origin.reset());

/** What reaches the origin. */
async function sent(type: string, text: string): Promise<string> {
  const head = [`POST /v1/files HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`];
  const answer = await sendTls(
    gateway,
    `${host}:443`,
    [...head, `Content-Length: ${Buffer.byteLength(text)}`, '', text].join('\r\n'),
  );
  expect(answer.status).toBe(200);
  return origin.requests[0]?.body.toString() ?? '';
}

const mail = (coding: string, body: string, more = '') =>
  `From: ${addressOf('ann')}\r\n${more}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${coding}\r\n\r\n${body}\r\n`;

test.each([['message/rfc822'], ['text/plain'], ['application/octet-stream']])(
  'a quoted-printable part is masked and encoded again: %s',
  async (type) => {
    const body = `Gr=C3=BC=C3=9Fe, ask ben=2Ebrook=\r\n=40corp=2Eexample now.`;
    const masked = await sent(type, mail('quoted-printable', body));
    expect(masked).toMatch(/^From: \[EMAIL-\d+\]\r\n/);
    expect(masked).toMatch(/\r\n\r\nGr=C3=BC=C3=9Fe, ask \[EMAIL-\d+\] now\.\r\n$/);
  },
);

test('parts in base64, a mail in a mail, an encoded subject', async () => {
  const inner = mail('base64', base64(`Ask ${addressOf('cleo')}.`));
  const subject = `Subject: =?utf-8?B?${base64(`Für ${addressOf('dora')}`)}?=\r\n`;
  const text = [
    `From: ${addressOf('ann')}`,
    `${subject}Content-Type: multipart/mixed; boundary="b+1"`,
    '',
    'before',
    '--b+1',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: BASE64',
    '',
    base64(`<p>${'long '.repeat(40)}${addressOf('ella')}</p>`),
    '--b+1',
    'Content-Type: message/rfc822',
    '',
    `${inner}--b+1--`,
    '',
  ].join('\r\n');
  const masked = await sent('message/rfc822', text);
  const [, coded = ''] = /BASE64\r\n\r\n([^-]*)\r\n--b/.exec(masked) ?? [];
  expect(Buffer.from(coded, 'base64').toString()).toMatch(/^<p>(?:long ){40}\[EMAIL-\d+\]<\/p>$/);
  const [, nested = ''] = /: base64\r\n\r\n(.*)\r\n/.exec(masked) ?? [];
  expect(Buffer.from(nested, 'base64').toString()).toMatch(/^Ask \[EMAIL-\d+\]\.$/);
  expect(masked).toMatch(/Subject: =\?utf-8\?B\?[^?]+\?= \[EMAIL-\d+\]\r\n/);
  expect(masked).toContain('\r\nbefore\r\n--b+1\r\n');
});

test('a mailbox, and contacts in the old format', async () => {
  const box = [1, 2].map((i) => `From x Mon\r\n${mail('quoted-printable', `ask f${i}=40corp=2Eexample`)}`).join('\r\n');
  expect(await sent('application/mbox', box)).not.toMatch(/=40corp|@corp/);
  origin.reset();
  const card =
    'BEGIN:VCARD\r\nVERSION:2.1\r\nEMAIL;ENCODING=QUOTED-PRINTABLE:gil=2Egray=40corp=\r\n=2Eexample\r\nEND:VCARD\r\n';
  expect(await sent('text/vcard', card)).toMatch(/EMAIL;CHARSET=UTF-8:\[EMAIL-\d+\]\r\n/);
});

test('a mail without a value is forwarded unchanged', async () => {
  const text = mail('quoted-printable', 'Gr=c3=bc=c3=9fe =\r\nnow').replace(addressOf('ann'), 'us');
  expect(await sent('message/rfc822', text)).toBe(text);
});
