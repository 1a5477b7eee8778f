/**
 * Voice calls: the setup of a WebRTC connection is not masked, and binary WebSocket audio follows
 * `uninspectable.audio`.
 */
import { FormData } from 'undici';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { proxiedFetch } from '../support/clients.ts';
import { startEcho } from '../support/echo.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';
import { openTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const candidate =
  'candidate:842163049 1 udp 1677729535 203.0.113.77 44323 typ srflx raddr 198.51.100.24 rport 44323 generation 0 ufrag 4ZcD network-cost 999';
/** Its secret is a hash that the relay checks. */
const relay = {
  urls: ['turn:relay.example:3478?transport=udp'],
  username: '1764460800:anna.berg@example.com',
  credential: 'Zb7mY0pQx3rT9vLs5kWd1nHfGc8=',
};

/** An offer of Chrome 141 for a voice call, shortened. */
const offer = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 203.0.113.77',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'a=msid-semantic: WMS 8d3f3a8e-52a0-4b31-9a6e-3ba4a0f7a2d1',
  'm=audio 44323 UDP/TLS/RTP/SAVPF 111 63 9 0 8',
  'c=IN IP4 203.0.113.77',
  `a=${candidate}`,
  'a=candidate:2 1 UDP 2122187007 2001:db8::77 53165 typ host generation 0 network-id 2',
  'a=ice-ufrag:4ZcD',
  'a=ice-pwd:2/1muCWoOi3uLifh0NuRHlti',
  'a=fingerprint:sha-256 7B:8B:F0:65:5F:78:E2:51:3B:AC:6F:F3:3F:46:1B:35:DC:B8:5F:64:1A:24:C2:43:F0:A1:58:D0:A1:2C:19:08',
  'a=ssrc:3735928559 cname:4090876543210987',
  'a=rtpmap:111 opus/48000/2',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=sctp-port:5000',
  '',
].join('\r\n');
/** An offer of Firefox 145, shortened. */
const firefox = [
  'v=0',
  'o=mozilla...THIS_IS_SDPARTA-99.0 4930123456789012345 0 IN IP4 0.0.0.0',
  's=-',
  't=0 0',
  'a=sendrecv',
  'a=fingerprint:sha-256 7B:8B:F0:65:5F:78:E2:51:3B:AC:6F:F3:3F:46:1B:35:DC:B8:5F:64:1A:24:C2:43:F0:A1:58:D0:A1:2C:19:08',
  'a=group:BUNDLE 0',
  'a=ice-options:trickle',
  'a=msid-semantic:WMS *',
  'm=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101',
  'c=IN IP4 0.0.0.0',
  'b=AS:50',
  'a=candidate:1 2 TCP 2105458942 198.51.100.24 9 typ host tcptype active',
  'a=sendrecv',
  'a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1',
  'a=msid:{1c0a6e4a-31e5-4b7c-9a55-4111111111116} {8b7f3f3e-2f0e-4b7c-8a55-493012345678}',
  'a=rtcp:9 IN IP4 203.0.113.77',
  'a=ssrc:493012345 cname:{4930123456789}',
  '',
].join('\r\n');
/** A name as in RFC 3550, which a service may compare. */
const named = offer.replace('cname:4090876543210987', `cname:${personal.EMAIL}`);
const fragment = `a=ice-ufrag:4ZcD\r\na=ice-pwd:2/1muCWoOi3uLifh0NuRHlti\r\nm=audio 9 RTP/AVP 0\r\na=mid:0\r\na=${candidate}\r\n`;

const spoken = 'streaming.assemblyai.com';
const names = ['ws.openai.example', spoken];
const origin = await startOrigin({ names: [host] });
const echo = await startEcho({ names });
const rule = (name: string): object => ({ when: { hosts: [name] }, then: { action: 'allow', inspect: 'mask' } });
const config = { policy: { rules: [...names, host].map(rule) } };
const hosts = { [host]: origin, ...Object.fromEntries(names.map((name) => [name, echo])) };
const gateway = await startGateway({ hosts, config });
const proxied = proxiedFetch(gateway);
beforeEach(() => {
  origin.reset();
  echo.messages.length = 0;
});

async function received(body: string | FormData, contentType?: string): Promise<string> {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const response = await proxied.fetch(`https://${host}/v1/realtime/calls`, {
    method: 'POST',
    headers,
    body: body as string,
  });
  expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  return origin.requests.at(-1)?.body.toString() ?? '';
}

describe('session descriptions', () => {
  test.each([
    ['an offer', 'application/sdp', offer],
    ['an offer with bare line feeds', 'application/sdp; charset=utf-8', offer.replaceAll('\r', '')],
    ['an offer of Firefox', 'application/sdp', firefox],
    ['an offer of Firefox in JSON', 'application/json', JSON.stringify({ type: 'offer', sdp: firefox })],
    ['an offer with an e-mail address as canonical name', 'application/sdp', named],
    ['the same in JSON', 'application/json', JSON.stringify({ type: 'offer', sdp: named })],
    ['candidates that are sent later', 'application/trickle-ice-sdpfrag', fragment],
    ['an offer as text', 'text/plain', offer],
    ['an offer in JSON', 'application/json', JSON.stringify({ type: 'offer', sdp: offer })],
    [
      'an offer in JSON in JSON',
      'application/json',
      JSON.stringify({ offer: JSON.stringify({ type: 'offer', sdp: offer }) }),
    ],
    ['a candidate in JSON', 'application/json', JSON.stringify({ candidate, sdpMid: '0', sdpMLineIndex: 0 })],
    ['relays', 'application/json', JSON.stringify({ configuration: { iceServers: [relay] } })],
    ['a form', 'application/x-www-form-urlencoded', new URLSearchParams({ sdp: offer }).toString()],
  ])('%s is sent byte by byte', async (_name, type, body) => {
    expect(await received(body, type)).toBe(body);
  });

  test('a multipart form keeps its offer, and other text is masked', async () => {
    const form = new FormData();
    form.set('sdp', new Blob([offer], { type: 'application/sdp' }));
    form.set('again', offer);
    form.set('session', JSON.stringify({ type: 'realtime', instructions: `Call ${personal.EMAIL} back` }));
    const body = await received(form);
    expect(body.split(offer)).toHaveLength(3);
    expect(body).toContain('Call [EMAIL-1] back');
  });

  test('its human-readable text is masked', async () => {
    const described = offer.replace('s=-', `s=Call of ${personal.EMAIL}\r\ne=${personal.EMAIL}`);
    const body = await received(described, 'application/sdp');
    expect(body).toBe(offer.replace('s=-', 's=Call of [EMAIL-1]\r\ne=[EMAIL-1]'));
  });

  test('an attribute that is not registered is masked', async () => {
    const body = await received(offer.replace('a=ssrc', `a=note:for ${personal.EMAIL}\r\na=ssrc`), 'application/sdp');
    expect(body).toBe(offer.replace('a=ssrc', 'a=note:for [EMAIL-1]\r\na=ssrc'));
  });

  test.each([
    ['a name', 'a=mid:for'],
    ['a parameter', 'a=fmtp:111 please do call me on'],
    ['a candidate', 'a=candidate:please do call me on'],
    ['a group', 'a=group:please do call me on'],
  ])('a text in the place of %s is masked', async (_what, line) => {
    const body = await received(`${offer}${line} ${personal.EMAIL}\r\n`, 'application/sdp');
    expect(body).toBe(`${offer}${line} [EMAIL-1]\r\n`);
  });

  test.each([
    'a=group:BUNDLE audio video data',
    'a=ice-options:trickle renomination',
    'a=msid:stream track',
    'a=rtcp-fb:96 ccm fir',
    'a=imageattr:97 send [x=1280,y=720] recv [x=640,y=480]',
    'a=simulcast:send hi;mid;lo recv one',
    'a=candidate:1 1 tls 2105458942 198.51.100.24 443 typ host tcptype active network home',
    'a=source-filter: incl IN IP4 203.0.113.77 198.51.100.24',
  ])('%s is of the protocol', async (line) => {
    const body = `${offer}${line}\r\n`;
    expect(await received(body, 'application/sdp')).toBe(body);
  });

  const phone = '+81 90-1234-5678';
  const letter = `please call ${phone}`;
  test.each([
    ['a text that only starts like one', `v=0\r\no=- 1\r\n${letter}\r\n`],
    ['text in the place of an address', offer.replace('c=IN IP4 203.0.113.77', `c=${letter}`)],
    ['text in the place of a time', offer.replace('t=0 0', `t=${letter}`)],
    ['text in the place of a key', offer.replace('t=0 0', `t=0 0\r\nk=${letter}`)],
    ['text in the place of a format', offer.replace('webrtc-datachannel', letter)],
    ['text in the place of an origin', offer.replace(/^o=.*$/m, `o=${letter}`)],
    ['lines in another order', `v=0\r\na=mid:${letter}\r\n`],
    ['a fragment with a line of another kind', `${fragment}c=${letter}\r\n`],
    ['a fragment with text for people', `${fragment}i=${letter}\r\n`],
  ])('%s is not a session description', async (_what, body) => {
    expect(await received(body, 'application/sdp')).not.toContain(phone);
    expect(await received(JSON.stringify({ sdp: body }), 'application/json')).not.toContain(phone);
  });
});

/** 20 ms of a tone, 16 bits per sample at 16 kHz. */
const pcm = Buffer.alloc(640);
for (let i = 0; i < 320; i++) pcm.writeInt16LE(Math.round(9_000 * Math.sin(i / 3)), 2 * i);
const silence = Buffer.alloc(640);
const opus = Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(60, 7)]);
const azure = (() => {
  const header = Buffer.from('Path: audio\r\nX-RequestId: 0a1b2c\r\nContent-Type: audio/x-wav\r\n');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(header.length);
  return Buffer.concat([length, header, pcm]);
})();

/** Opens a WebSocket and sends; resolves with the answer, or with the close code. */
async function say(name: string, path: string, messages: (string | Buffer)[]): Promise<(Buffer | number)[]> {
  const socket = await openTls(gateway, `${name}:443`);
  const client = new WebSocket(`wss://${name}${path}`, { createConnection: () => socket as never });
  const got: (Buffer | number)[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on('message', (data) => {
      got.push(data as Buffer);
      if (got.length === messages.length) client.terminate();
    });
    client.on('close', (code) => {
      if (got.length < messages.length) got.push(code);
      resolve();
    });
    client.on('error', reject);
    client.on('open', () => messages.forEach((message) => void client.send(message)));
  });
  return got;
}

const start = JSON.stringify({
  message: 'StartRecognition',
  audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 },
});
const other = 'ws.openai.example';

describe('binary audio over a WebSocket', () => {
  const sounds: [what: string, name: string, path: string, messages: (string | Buffer)[]][] = [
    ['samples, by the address', other, '/v1/listen?model=nova', [pcm, silence]],
    ['samples, by the query', other, '/v3/ws?sample_rate=16000', [pcm]],
    ['samples, by the service', spoken, '/v3/x', [pcm, silence]],
    ['samples, by the first message', other, '/v2/', [start, pcm]],
    ['a container', other, '/ws', [opus]],
    ['frames with header fields', other, '/ws', [azure]],
  ];

  test.each(sounds)('%s', async (_what, name, path, messages) => {
    expect(await say(name, path, messages)).toEqual(messages.map((message) => Buffer.from(message as string)));
  });

  test.each([
    ['bytes on a connection without any mention of audio', '/ws', Buffer.from([1, 2, 255, 0, 9, 200, 14, 3, 7])],
    ['a text', '/v1/listen', Buffer.from(`please write to ${personal.EMAIL} at once`)],
    ['a text in Japanese', '/v1/listen', Buffer.from('山田太郎の電話番号')],
    ['a text in UTF-16', '/v1/listen', Buffer.from(`write to ${personal.EMAIL}`, 'utf16le')],
    ['a text among bytes', '/v1/listen', Buffer.concat([Buffer.from([8, 255, 18]), Buffer.from(personal.EMAIL)])],
    ['a document', '/v1/listen', Buffer.from('%PDF-1.7\n\xff\xff', 'latin1')],
    [
      'a text in frames with header fields',
      '/ws',
      Buffer.concat([azure.subarray(0, -640), Buffer.from('hello to you and all of them')]),
    ],
  ])('%s is refused as before', async (_name, path, message) => {
    expect(await say(other, path, [message])).toEqual([1008]);
    expect(echo.messages).toEqual([]);
  });

  describe('with masking.uninspectable.audio: block', () => {
    beforeAll(() => gateway.configure({ ...config, masking: { uninspectable: { audio: 'block' } } }));

    test.each(sounds)('%s', async (_what, name, path, messages) => {
      expect((await say(name, path, messages)).at(-1)).toBe(1008);
    });
  });
});
