import { expect } from 'vitest';
import { UrlGuard } from '../../core/guard/url-guard.ts';
import { restoreText } from '../../core/restore.ts';
import { eventsOf, restoreStream, tokenMap } from './stream/wire-fixtures.ts';

export const token = '[EMAIL-1]';
export const original = 'john@corp.example';
export const map = tokenMap({ [token]: original });

/** Restores the text split in two at every position outside of tokens; throws unless all results are equal. */
export function restored(text: string): string {
  const whole = restoreText(text, map).restored;
  const tokens = [...text.matchAll(/\[EMAIL-1\]/g)].map((match) => match.index);
  for (let cut = 0; cut <= text.length; cut += text.length > 1000 ? 97 : 1) {
    if (tokens.some((start) => cut > start && cut < start + token.length)) continue;
    const guard = new UrlGuard();
    const first = restoreText(text.slice(0, cut), map, { guard }).restored;
    expect(first + restoreText(text.slice(cut), map, { guard }).restored, `cut at ${cut}`).toBe(whole);
  }
  return whole;
}

/** The text as three chat events: the address is in the second, and the token is split. */
export function streamed(text: string): string {
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
