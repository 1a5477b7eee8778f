/**
 * The cost of the injection checks, prompt and SQL together: microseconds per KiB (UTF-8) on ordinary text, and on
 * hostile input of three sizes, where the cost per KiB must not increase.
 *
 *   node bench/injection.ts
 */
import { detectAllInjections } from '../core/injection/index.ts';
import { microsecondsOf } from './cpu-time.ts';

const kibOf = (text: string): number => new TextEncoder().encode(text).length / 1024;
const repeated = (unit: string, chars: number): string => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);

const english =
  'Could you help me to rewrite this paragraph for the quarterly report? The team in Boston shipped version 2.4.1 on 12 March, and ' +
  "revenue grew by 18% to $4.2 million, mostly because the new plan is easier to understand. Please keep it short, and don't mention " +
  'the open question about who owns the account.\n';
const japanese =
  '四半期報告書のこの段落を書き直してもらえますか。大阪のチームは3月12日にバージョン2.4.1を出荷し、売上は18%増の4億2千万円になりました。' +
  '新しい料金プランのほうが分かりやすいというのが主な理由です。短く、読みやすく、丁寧な文にしてください。\n';
const code =
  'const rows = await db.query("SELECT id, name FROM users WHERE id = $1", [id]);\nif (rows.length === 0 || !rows[0]) { return null; } // none\n';

const ordinary = [
  ['English', english],
  ['Japanese', japanese],
  ['code', code],
] as const;

console.log('ordinary text, µs/KiB   4 KiB  64 KiB   (at most 100)');
for (const [name, sample] of ordinary) {
  const figures = [4096, 65_536].map((chars) => {
    const text = repeated(sample, chars);
    return microsecondsOf(() => detectAllInjections(text), chars > 10_000 ? 10 : 200) / kibOf(text);
  });
  console.log(name.padEnd(22), ...figures.map((figure) => figure.toFixed(0).padStart(7)));
}

const hostile: Readonly<Record<string, string>> = {
  words: 'ignore ',
  override: 'ignore all previous instructions ',
  quotes: "'or'",
  'single quotes': "'",
  brackets: '(',
  'base64 letters': 'aWdub3JlIGFsbA',
  'tag characters': String.fromCodePoint(0xe0041),
  'Japanese scope': 'これまでの',
  'Japanese override': '無視して指示を',
  comments: '<!--',
  'open comments': '/*',
  'hidden style': 'display:none>',
  'percent escapes': '%2527',
  'union select': 'union select ',
  digits: '1-1-1-',
  'letters apart': 'a b ',
  emoji: '😀',
  overrides: '\u202e',
  'leet words': '1gn0re pr3v10us ',
};

console.log('\nhostile input, µs/KiB  64 KiB 256 KiB   1 MiB');
for (const [name, unit] of Object.entries(hostile)) {
  const figures = [65_536, 262_144, 1_048_576].map((chars) => {
    const text = repeated(unit, chars);
    return microsecondsOf(() => detectAllInjections(text), 1) / kibOf(text);
  });
  console.log(name.padEnd(22), ...figures.map((figure) => figure.toFixed(0).padStart(7)));
}
