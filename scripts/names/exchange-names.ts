import type { LabelledText } from './examples.ts';
import { chineseWords, foreignNames } from './dictionaries.ts';
import { hangulOf } from './hangul.ts';
import { katakanaNames } from './made-texts.ts';
import { People, type Person, pick, type Random } from './people.ts';
import pools from './pools.json' with { type: 'json' };
import { generator } from './train-chain.ts';

/**
 * Copies labelled texts with other names, so that the model learns more from the context than from the name. Names come
 * from the lists, or from other texts of the language if a name has a special form.
 */
export function exchangeNames(
  { folder, dictionaries }: { readonly folder: string; readonly dictionaries: string },
  texts: readonly LabelledText[],
): LabelledText[] {
  const people = new People(folder);
  const katakana = katakanaNames(dictionaries);
  const strangers = foreignNames(dictionaries)
    .filter(({ isFamily, isPlace, isOther }) => isFamily && !isPlace && !isOther)
    .map(({ word }) => word);
  const chinese = chineseWords(dictionaries, pools.chineseFamilies);
  const random = generator(11);
  const own = new Map<string, string[]>();
  for (const { lang, text, names } of texts) {
    for (const [start, end] of names) {
      const key = `${lang} ${formOf(text.slice(start, end))}`;
      const list = own.get(key) ?? [];
      own.set(key, list);
      list.push(text.slice(start, end));
    }
  }
  const copies = ({ lang, source }: LabelledText): number => (copiesOf[source] ?? 1) * (isEastern(lang) ? 2 : 1);
  return texts
    .filter(({ names, lang, text }) => names.length > 0 && !inflected.has(lang) && text.length < 6000)
    .flatMap((labelled) =>
      Array.from({ length: copies(labelled) }, () =>
        exchanged(labelled, { people, katakana, strangers, chinese, own, random }),
      ),
    );
}

/** Pasted texts are few, and closest to the gateway's input. */
const copiesOf: Readonly<Record<string, number>> = { 'first-sight': 5, pasted: 5 };
const isEastern = (lang: string): boolean => lang === 'ja' || lang === 'zh' || lang === 'ko';
/** Share of full names replaced by a family name: news gives the full name once, then only the family name. */
const aloneShare = 0.3;
/** Languages that inflect names. */
const inflected: ReadonlySet<string> = new Set(['fi', 'hr', 'sr', 'sk', 'hu']);

type Supply = {
  readonly people: People;
  readonly katakana: readonly string[];
  /** Foreign family names in katakana, most of them rare. */
  readonly strangers: readonly string[];
  /** People of the Chinese dictionary. */
  readonly chinese: ReturnType<typeof chineseWords>;
  /** Names by language and form. */
  readonly own: ReadonlyMap<string, readonly string[]>;
  readonly random: Random;
};

function exchanged({ source, lang, text, names }: LabelledText, supply: Supply): LabelledText {
  const given = new Map<string, string>();
  let written = '';
  let last = 0;
  const places: [number, number][] = [];
  for (const [start, end] of [...names].sort((a, b) => a[0] - b[0])) {
    if (start < last) return { source, lang, text, names };
    const name = text.slice(start, end);
    const other = given.get(name) ?? otherName(name, lang, supply);
    given.set(name, other);
    written += text.slice(last, start);
    places.push([written.length, written.length + other.length]);
    written += other;
    last = end;
  }
  return { source, lang, text: written + text.slice(last), names: places };
}

/** Scripts, case, punctuation and length of a name. */
function formOf(name: string): string {
  return name
    .replace(/[ァ-ヺー]+/g, 'K')
    .replace(/[ぁ-ゖ]+/g, 'h')
    .replace(/[\u3400-\u9fff々](?=.{0,4}$)/g, 'c')
    .replace(/[가-힣]/g, 'g')
    .replace(/(?<![\p{Lu}])\p{Lu}[\p{Ll}\p{M}'’]+/gu, 'N')
    .replace(/\p{Lu}{2,}/gu, 'U')
    .replace(/\p{Ll}+/gu, 'w');
}

function otherName(name: string, lang: string, supply: Supply): string {
  const { people, katakana, strangers, own, random } = supply;
  const form = formOf(name);
  const elsewhere = pick(own.get(`${lang} ${form}`) ?? [name], random);
  if (random() < 0.35) return elsewhere;
  if (lang === 'ja') return japanese(form, name, people.japanese(random), { katakana, strangers, random }) ?? elsewhere;
  if (lang === 'zh') return chinese(form, name, supply) ?? elsewhere;
  if (lang === 'ko' && form === 'ggg' && pools.koreanFamilies.includes(name.charAt(0)))
    return char(pools.koreanFamilies, random) + char(pools.koreanGivens, random) + char(pools.koreanGivens, random);
  if (lang === 'ko' && /^(?:g{2}|g{4,}|g{2,} g{2,})$/.test(form) && random() < 0.6) {
    const [one, two] = [pick(katakana, random), pick(katakana, random)].map(hangulOf);
    return form.includes(' ') ? `${one} ${two}` : (one ?? name);
  }
  if (isEastern(lang)) return elsewhere;
  const { given, family } = people.stranger(lang, random);
  if (form === 'N') return random() < 0.4 ? given : family;
  if (form === 'N N') return random() < aloneShare ? family : `${given} ${family}`;
  if (form === 'U N') return `${given.toUpperCase()} ${family}`;
  if (form === 'U U') return `${given} ${family}`.toUpperCase();
  if (form === 'w') return (random() < 0.6 ? given : family).toLowerCase();
  return elsewhere;
}

function chinese(form: string, name: string, { chinese: { people, foreign }, random }: Supply): string | undefined {
  if (/^[\u3400-\u9fff]+·[\u3400-\u9fff]+$/.test(name)) return `${pick(foreign, random)}·${pick(foreign, random)}`;
  if (/^[\u3400-\u9fff]{4,6}$/.test(name)) return random() < 0.7 ? pick(foreign, random) : undefined;
  if (!/^c{2,3}$/.test(form) || !pools.chineseFamilies.includes(name.charAt(0))) return undefined;
  if (form.length === 3 && random() < 0.6) {
    const { family, given } = pick(people, random);
    return family + given;
  }
  const second = form.length === 3 ? char(pools.chineseGivens, random) : '';
  return char(pools.chineseFamilies, random) + char(pools.chineseGivens, random) + second;
}

function japanese(
  form: string,
  name: string,
  { family, given }: Person,
  { katakana, strangers, random }: Pick<Supply, 'katakana' | 'strangers' | 'random'>,
): string | undefined {
  const alone = random() < aloneShare;
  // Business texts use full names more often.
  if (/^c{3,5}$/.test(form)) return alone && random() < 0.5 ? family : family + given;
  if (/^c{1,3} c{1,3}$/.test(form)) return name.includes('\u3000') ? `${family}\u3000${given}` : `${family} ${given}`;
  if (form === 'cc' || form === 'c') return random() < 0.7 ? family : given;
  const stranger = pick(random() < 0.5 ? katakana : strangers, random);
  if (form === 'K' || (form === 'K・K' && random() < 0.7)) return stranger;
  if (form === 'K・K') return `${pick(katakana, random)}・${stranger}`;
  return undefined;
}

const char = (list: string, random: Random): string => list.charAt(Math.floor(random() * list.length));
