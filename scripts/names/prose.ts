import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyOf } from '../../core/patterns.ts';
import type { LabelledText } from './examples.ts';

/** The handbook folder, help folder and language of each locale. */
const locales: readonly (readonly [string, string, string])[] = [
  ['en', 'en-US', 'C'],
  ['de', 'de-DE', 'de'],
  ['fr', 'fr-FR', 'fr'],
  ['es', 'es-ES', 'es'],
  ['it', 'it-IT', 'it'],
  ['pt', 'pt-BR', 'pt_BR'],
  ['nl', 'nl-NL', 'nl'],
  ['ja', 'ja-JP', 'ja'],
  ['zh', 'zh-CN', 'zh_CN'],
  ['ko', 'ko-KR', 'ko'],
];
/** One of this many paragraphs is used. */
const handbookEach = 4;
const helpEach = 3;
/** More often in Japanese, where technical words in katakana look like foreign names. */
const japaneseEach = 2;
/** People in the handbook, and words that introduce people. */
const people = new RegExp(
  `Nat |${anyOf(`Rapha Roland Hertzog Benoît Linus Torvalds Stallman Murdock Perens Bernstein Jackson Zacchiroli Knuth
    Aoki`)}`,
);
const credits = /©|copyright|thank|Dank|merci|gracias|grazie|obrigad|bedank|感謝|感谢|감사/i;
const fullName = /(?<![.!?:] )(?<!^)(?<![\p{L}\d] )\p{Lu}\p{Ll}+ (?:\p{Lu}\. )?\p{Lu}\p{Ll}{2,}/u;

/**
 * Paragraphs of manuals in ten languages, which hardly contain names: debian-handbook (CC BY-SA 3.0) and
 * gnome-user-docs (CC BY-SA 3.0), as installed by the Debian packages, in `prose/handbook/<locale>` and
 * `prose/help/<locale>`; in Japanese also gimp-help-ja (GFDL 1.2), in `prose/gimp/ja`.
 */
export function proseTexts(dictionaries: string): LabelledText[] {
  const seen = new Set<string>();
  return locales.flatMap(([lang, handbook, help]) =>
    [
      ...some(paragraphs(join(dictionaries, 'prose', 'handbook', handbook), '.html', seen), lang, handbookEach),
      ...some(paragraphs(join(dictionaries, 'prose', 'help', help), '.page', seen), lang, helpEach),
      ...(lang === 'ja'
        ? some(paragraphs(join(dictionaries, 'prose', 'gimp', lang), '.html', seen), lang, japaneseEach)
        : []),
    ].map((text): LabelledText => ({ source: 'made-prose', lang, text, names: [] })),
  );
}

function some(texts: readonly string[], lang: string, each: number): string[] {
  if (lang !== 'ja') return texts.filter((_, at) => at % each === 0);
  return texts.filter((text) => /[ぁ-ん]/.test(text)).filter((_, at) => at % japaneseEach === 0);
}

function paragraphs(folder: string, ending: string, seen: Set<string>): string[] {
  const found: string[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith(ending)) continue;
    const source = readFileSync(join(folder, file), 'utf8');
    for (const [, inner = ''] of source.matchAll(/<(?:p\b|div class="para")[^>]*>([\s\S]*?)<\/(?:p|div)>/g)) {
      const text = plain(inner);
      if (text.length < 80 || seen.has(text)) continue;
      seen.add(text);
      if (!people.test(text) && !credits.test(text) && !fullName.test(text)) found.push(text);
    }
  }
  return found;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&', apos: "'" };

function plain(markup: string): string {
  return markup
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&([a-z]+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

/** The Japanese pages of this project, without lines with a sample name. */
export function japanesePages(): LabelledText[] {
  const root = join(import.meta.dirname, '..', '..');
  const files = [
    join(root, 'README.ja.md'),
    ...readdirSync(join(root, 'docs', 'ja'))
      .sort()
      .map((file) => join(root, 'docs', 'ja', file)),
  ];
  return files.flatMap((file) => {
    const kept = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !/さん|様|氏名|名前|山田|佐藤|鈴木|田中|高橋|太郎|花子|NAME/.test(line));
    const pages: LabelledText[] = [];
    for (let at = 0; at < kept.length; at += 12) {
      pages.push({ source: 'made-code', lang: 'ja', text: kept.slice(at, at + 12).join('\n'), names: [] });
    }
    return [...pages, ...pages];
  });
}
