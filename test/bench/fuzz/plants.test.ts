/**
 * Plants faults: a piece of the product is replaced while it is loaded, and the target must find the fault. One target
 * for each check.
 */
import { expect, test } from 'vitest';
import { fuzz } from '../../../bench/fuzz/index.ts';

const held = ['core/tokens/tokens.ts', 'length - tokenLengthMax + 1', 'length - 4'] as const;

test.each<[target: string, file: string, from: string, to: string, says: RegExp]>([
  ['json-body', 'core/payload/json-strings.ts', 'from = edit.end;', 'from = edit.end - 1;', /JSON/],
  ['json-scan', 'core/payload/json-weight.ts', 'if (slashes % 2 === 0) return quote;', 'return quote;', /./],
  ['form-body', 'core/payload/form.ts', "'+') : encoded;", "'+') : encoded + '&x';", /number of pairs/],
  ['multipart-body', 'core/payload/multipart.ts', 'piece.start) + chars', 'piece.start)', /./],
  [
    'json-answer',
    'core/payload/response.ts',
    'view.cuts) return jsonLiteral(text)',
    'view.cuts) return text',
    /has become invalid/,
  ],
  ['hint', 'core/payload/hint.ts', 'messages.start + 1', 'messages.start', /no longer JSON/],
  ['sse', 'core/stream/sse.ts', 'this.#skipLf = true;', '', /a cut shows/],
  ['text-stream', ...held, /a cut shows/],
  ['runs', ...held, /pieces show/],
  ['tokens', ...held, /cut at/],
  ['websocket', 'core/stream/websocket.ts', 'push(bytes.slice())', 'push(bytes.slice(1))', /a cut shows/],
  ['mask', 'core/restore.ts', 'done = match.end;', 'done = match.end + 1;', /restored text/],
  ['detect', 'core/detect/overlap.ts', 'of best(group, first.start, end))', 'of group)', /detections overlap/],
  [
    'detect',
    'core/detect/detector.ts',
    "const found = this.#find(text, 'text', 2);",
    "for (let i = 0; i < text.length ** 2 / 100; i++) {} const found = this.#find(text, 'text', 2);",
    /faster than the text/,
  ],
  ['injection', 'core/injection/prompt.ts', 'categoriesOf(signals, 2.5)', '[]', /disagrees/],
  ['yaml', 'config/yaml-value.ts', '{ schema: CORE_SCHEMA }', '{}', /instead of|accepts what/],
  ['policy', 'config/policy-document.ts', 'policy: result.data.policy, problems', 'problems', /neither a policy/],
  ['config', 'config/load.ts', 'config: deepFreeze(result.data), problems', 'problems', /neither a configuration/],
  ['services', 'config/service-scan.ts', '[from, lastHostHash]', '[from + 1, lastHostHash]', /position of a domain/],
  [
    'lists',
    'gateway/feeds/entries.ts',
    "normalizeHost(String(fields.domain ?? '')).host",
    'String(fields.domain)',
    /./,
  ],
  ['access-log', 'gateway/simulation/traffic.ts', 'normalizeHost(text).host', 'text', /host/],
  ['host', 'policy/host.ts', 'plainName = /^[a-z0-9_-]', 'plainName = /^[A-Za-z0-9_-]', /odd characters|once more/],
  ['target', 'gateway/proxy/request/target.ts', '{ http: 80, https', '{ http: 81, https', /the port of the URL/],
  ['connect-head', 'gateway/proxy/listen/connect-head.ts', ' || isBlank(text.charCodeAt(i - 1))', '', /the fields/],
  [
    'proxy-protocol',
    'gateway/proxy/listen/proxy-protocol.ts',
    "? 'incomplete' : readB",
    "? 'invalid' : readB",
    /settled at/,
  ],
  [
    'client-hello',
    'gateway/proxy/listen/client-hello.ts',
    "toString('latin1', 5)",
    "toString('latin1', 6)",
    /the server name/,
  ],
  [
    'client-hello',
    'gateway/proxy/listen/client-hello.ts',
    'if (type === 0) {',
    'if (type === 99) {',
    /the server name/,
  ],
  [
    'codings',
    'gateway/proxy/body/content-coding.ts',
    "throw new PrivetError('undecodable_body', `",
    'throw new Error(`',
    /not valid/,
  ],
  [
    'request-head',
    'gateway/http1/request-head.ts',
    'if (isChunked) head +=',
    'if (!isChunked) head +=',
    /no parser accepts/,
  ],
  [
    'http1-answers',
    'gateway/http1/body-reader.ts',
    "throw new Http1Error('HTTP1_MALFORMED', 'a chunk longer than its size')",
    'void 0',
    /llhttp/,
  ],
  [
    'xml-texts',
    'gateway/convert/office/xml-texts.ts',
    "run.text).join('')",
    "run.text).join(' ')",
    /a text and its runs/,
  ],
  ['office', 'gateway/convert/office/zip.ts', 'throw broken(cause);', 'throw cause;', /./],
  [
    'pdf',
    'gateway/convert/pdf/index.ts',
    "throw damaged('The PDF document cannot be opened",
    "throw Error('not ours",
    /not ours/,
  ],
  [
    'license',
    'policy/license.ts',
    '{ payload } = await jwtVerify(token, issuer, {',
    'payload = decodeJwt(token); void ({',
    /unsigned/,
  ],
  ['ticket', 'gateway/proxy/admit/coach-token.ts', 'timingSafeEqual(bytes, own)', 'timingSafeEqual(own, own)', /./],
])('%s finds a fault in %s: %s', async (target, file, from, to, says) => {
  const { failures } = await fuzz({
    targets: [target],
    seconds: 120,
    seed: 1,
    failuresMax: 1,
    plant: { file, from, to },
  });
  const told = failures.map(({ message }) => message).join('\n');
  expect(told).toMatch(says);
  expect(told).not.toContain('must contain exactly once');
});
