/** Keys with a published issuer prefix, as documented by vendors and used by secret scanners. */

import published from './api-key-families.json' with { type: 'json' };
import markers from './api-key-markers.json' with { type: 'json' };

/** The character classes of the shapes in the file: `<hex 40>`, `<url 20-300>`. */
const shapes: Readonly<Record<string, string>> = {
  alnum: '[A-Za-z0-9]',
  url: '[A-Za-z0-9_-]',
  hex: '[A-Fa-f0-9]',
  base64: '[A-Za-z0-9+/]',
};
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Prefixes, separated by `|`, and the pattern that follows them. The first matching family wins. */
const families: readonly (readonly [prefix: string, body: string])[] = Object.values(published)
  .flatMap((group) => Object.entries(group))
  .map(([prefix, body]) => [prefix, body.replace(/<(\w+) ?(\d*)-?(\d*)>/g, shapeOf)]);

function shapeOf(_: string, shape: string, min: string, max: string): string {
  if (shape === 'uuid') return uuid;
  return `${shapes[shape]}{${min},${max || min}}${shape === 'base64' ? '={0,2}' : ''}`;
}

const right = '(?![A-Za-z0-9_])';

let anyFamily: RegExp | undefined;

/** The first characters of a prefix: `s`, `r` and `p` for `[sr]k_|pk\.`. */
function firstsOf(prefix: string): string[] {
  return prefix
    .replace(/^\(\?:/, '')
    .split('|')
    .flatMap((part) => (part.startsWith('[') ? [...part.slice(1, part.indexOf(']'))] : part.slice(0, 1)));
}

let starts: Int32Array | undefined;

/** A bit set of possible third characters (their last five bits) by the first two. It excludes nearly every word. */
function prefixStarts(): Int32Array {
  if (starts !== undefined) return starts;
  starts = new Int32Array(128 * 128);
  for (const [prefix] of families)
    for (const part of prefix.split('|').map((one) => one.replace(/^\(\?:/, ''))) {
      const rest = part.startsWith('[') ? part.slice(part.indexOf(']') + 1) : part.slice(1);
      const second = plainCode(rest);
      const third = second === undefined ? undefined : plainCode(rest.slice(1));
      const bits = third === undefined ? -1 : 1 << (third & 31);
      for (const first of firstsOf(part))
        for (const next of second === undefined ? anyCode : [second]) {
          const index = first.charCodeAt(0) * 128 + next;
          starts[index] = (starts[index] as number) | bits;
        }
    }
  return starts;
}

const anyCode = Array.from({ length: 128 }, (_, c) => c);

/** The first character of a pattern, unless it is not a literal. */
function plainCode(pattern: string): number | undefined {
  return /^[A-Za-z0-9_-](?![?*+{])/.test(pattern) ? pattern.charCodeAt(0) : undefined;
}

/** The key that starts here; the caller has excluded a letter, digit or underscore before it. */
export function familyKeyAt(text: string, start: number): string | undefined {
  const first = text.charCodeAt(start);
  const second = text.charCodeAt(start + 1);
  if (!(first < 128 && second < 128)) return undefined;
  const thirds = prefixStarts()[first * 128 + second] as number;
  if (((thirds >>> (text.charCodeAt(start + 2) & 31)) & 1) === 0) return undefined;
  const all = () => families.map(([prefix, body]) => `(?:${prefix})(?:${body})`).join('|');
  anyFamily ??= new RegExp(`(?<![A-Za-z0-9_])(?:${all()})${right}`, 'y');
  anyFamily.lastIndex = start;
  return anyFamily.exec(text)?.[0];
}

/** Keys with a marker in the middle: the anchor to search for, how far before it the key starts, and its pattern. */
export const markedPatterns = markers.map(({ pattern, ...one }) => ({ ...one, pattern: new RegExp(pattern, 'y') }));
