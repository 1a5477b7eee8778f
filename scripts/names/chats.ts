import type { LabelledText } from './examples.ts';
import { People, type Person, pick, type Random } from './people.ts';
import pools from './pools.json' with { type: 'json' };
import { generator } from './train-chain.ts';
import turns from './turns.json' with { type: 'json' };

/** Number of chats per language. */
const chatsPerLanguage = 320;
/** One of this many chats has roles, levels or keys instead of people. */
const rolesEach = 5;

type Language = Exclude<keyof typeof turns, 'generated' | 'roles'>;
const languages = Object.keys(turns).filter((key) => key !== 'generated' && key !== 'roles') as Language[];

/** The start of a line; `{s}` is the speaker, `{h}` the time. */
const openings = [
  ...['{s}: ', '{s}: ', '{s}: ', '[{h}] {s}: ', '[{h}] {s}: ', '{h} {s}: ', '{h} - {s}: ', '{s} ({h}): ', '<{s}> '],
  ...[
    '[{h}] <{s}> ',
    '{s} {h}\n',
    '{s}, {h}\n',
    '**{s}** — {h}\n',
    '- {s}: ',
    '[{d}, {h}] {s}: ',
    '{d}, {h} - {s}: ',
    '{s} | ',
    '> {s}: ',
  ],
];

/** How people write names in a chat. */
type Casing = 'lower' | 'short' | 'capital' | 'full';
/** Absent people are not called by their initials. */
const lengthy = (casing: Casing): Casing => (casing === 'short' ? 'lower' : casing);

/** Chats of two to four people: each line starts with a name, mostly in lower case. */
export function makeChats(folder: string): LabelledText[] {
  const people = new People(folder);
  const random = generator(23);
  return languages.flatMap((language) =>
    Array.from({ length: chatsPerLanguage }, (_, at) =>
      at % rolesEach === 0 ? exchange(language, random) : chat(language, people, random),
    ),
  );
}

/** A text with the positions of its names. */
class Writer {
  text = '';
  readonly names: [number, number][] = [];

  write(text: string, isName = false): void {
    if (isName) this.names.push([this.text.length, this.text.length + text.length]);
    this.text += text;
  }
}

function chat(language: Language, people: People, random: Random): LabelledText {
  const casing: Casing = random() < 0.4 ? 'lower' : random() < 0.25 ? 'short' : random() < 0.8 ? 'capital' : 'full';
  const cast = Array.from({ length: 5 }, (_, at) =>
    nameOf(language, at < 3 ? casing : lengthy(casing), people, random),
  );
  const speakers = cast.slice(0, 2 + Math.floor(random() * 3));
  const opening = pick(openings, random);
  const out = new Writer();
  const count = 2 + Math.floor(random() * 7);
  for (let turn = 0; turn < count; turn++) {
    const speaker = turn < 2 ? (speakers[turn] as string) : pick(speakers, random);
    const slots = { s: speaker, h: clock(random), d: day(random) };
    fill(opening, slots, out);
    const others = speakers.filter((name) => name !== speaker);
    fill(
      pick(turns[language], random),
      { o: pick(others.length > 0 ? others : cast, random), t: pick(cast, random) },
      out,
    );
    out.write('\n');
  }
  return { source: 'made-chat', lang: language, text: out.text, names: out.names };
}

/** Roles, log levels or keys of a file, which are not names. */
function exchange(language: Language, random: Random): LabelledText {
  const opening = pick(openings, random);
  const casing = random();
  const roles = Array.from({ length: 3 }, () => pick(turns.roles, random)).map((role) =>
    casing < 0.6 ? role : casing < 0.9 ? role.charAt(0).toUpperCase() + role.slice(1) : role.toUpperCase(),
  );
  const out = new Writer();
  const plain = turns[language].filter((turn) => !turn.includes('{'));
  for (let turn = 0; turn < 5; turn++) {
    fill(opening.replaceAll('{s}', pick(roles, random)), { h: clock(random), d: day(random) }, out);
    out.write(`${pick(plain, random)}\n`);
  }
  return { source: 'made-negative', lang: language, text: out.text, names: [] };
}

function fill(template: string, slots: Readonly<Record<string, string>>, out: Writer): void {
  let last = 0;
  for (const slot of template.matchAll(/\{([a-z])\}/g)) {
    out.write(template.slice(last, slot.index));
    out.write(slots[slot[1] as string] ?? '', 'sot'.includes(slot[1] as string));
    last = slot.index + slot[0].length;
  }
  out.write(template.slice(last));
}

const number = (from: number, to: number, random: Random): string =>
  String(from + Math.floor(random() * (to - from))).padStart(2, '0');
const clock = (random: Random): string => `${number(0, 24, random)}:${number(0, 60, random)}`;
const day = (random: Random): string => `${number(1, 29, random)}/${number(1, 13, random)}`;
const char = (list: string, random: Random): string => list.charAt(Math.floor(random() * list.length));

function nameOf(language: Language, casing: Casing, people: People, random: Random): string {
  if (language === 'ja') return japanese(people.japanese(random), random);
  if (language === 'zh')
    return random() < 0.3
      ? `小${char(pools.chineseFamilies, random)}`
      : char(pools.chineseFamilies, random) + char(pools.chineseGivens, random) + char(pools.chineseGivens, random);
  if (language === 'ko') {
    const given = char(pools.koreanGivens, random) + char(pools.koreanGivens, random);
    return random() < 0.6 ? given : char(pools.koreanFamilies, random) + given;
  }
  const { given, family } = people.latin(language, random);
  if (casing === 'full') return `${given} ${family}`;
  if (casing === 'short') return given.slice(0, 2 + Math.floor(random() * 3)).toLowerCase();
  const name = random() < 0.85 ? given : family;
  return casing === 'lower' ? name.toLowerCase() : name;
}

function japanese({ family, given, hiragana, kana, romaji }: Person, random: Random): string {
  const draw = random();
  if (draw < 0.25) return family;
  if (draw < 0.5) return hiragana?.[1] ?? given;
  if (draw < 0.65) return given;
  if (draw < 0.75) return kana?.[1] ?? given;
  if (draw < 0.85) return (romaji?.[1] ?? given).toLowerCase();
  return draw < 0.93 ? family + given : `${family} ${given}`;
}
