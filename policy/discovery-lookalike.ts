/**
 * Names that imitate a registered service: one letter off, look-alike letters of another script, or the service's name
 * inside a foreign domain. They are a separate kind of finding (phishing for chat logins), not AI services.
 */
import { domainToUnicode } from 'node:url';
import { registrableDomain } from './discovery-domain.ts';

/** Shorter names are one letter away from too many others (you.com, poe.com). */
const brandLengthMin = 6;
/** A name inside a longer label must be longer still: "mistral" is a wind, "perplexity" a word. */
const insideLengthMin = 6;
/** Maximum number of indexed names; each costs about 1 KiB. */
const brandsMax = 2_000;
/** Maximum number of names read: a registry of a million would delay the first request after each change by seconds. */
const namesMax = 5_000;

/**
 * Letters that are mistaken for a Latin one, and digits that stand for letters. From the Unicode UTS #39 confusables:
 * those of Cyrillic, Greek and Armenian, and marked Latin letters that look plain in an address bar.
 */
const confusable: Readonly<Record<string, string>> = Object.fromEntries(
  `a:аαɑạ b:Ьƅ c:сϲ d:ԁɗ e:еҽėẹ g:ɡց h:һհ i:іıíìịl1 j:јϳ k:кκ l:ӏǀ m:м n:пոṇ o:оοօọ0 p:рρ q:ԛգ r:г s:ѕʂ t:тτ u:υսᴜụ v:νѵ w:ԝաѡ x:хχ y:уγүỵ z:ᴢʐ`
    .split(' ')
    .flatMap((entry) => {
      const [letter = '', others = ''] = entry.split(':');
      return [...others].map((other) => [other, letter]);
    }),
);

/**
 * The label as a reader sees it: confusable letters unified, marks dropped, `rn` read as `m`, `vv` as `w` and `cl` as
 * `d`.
 */
function skeleton(label: string): string {
  let out = '';
  // From here on `l` is written `i`.
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('cl', 'd');
  for (const letter of plain) out += confusable[letter] ?? letter;
  return out.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Common words that are also product names: not an imitation when they are the whole label of somebody's domain. */
const commonWords = new Set(
  `gemini claude mistral perplexity copilot replicate runway jasper cohere together character canvas notion studio
phoenix segment writer writesonic grammarly fireworks anyscale banana modular predict harvey glean cursor codeium
tabnine otter descript synthesia lovable replit warp sider monica merlin genspark manus devin dust`.split(/\s+/),
);

/** Finds imitations of a list of domains. Built once per registry; a look-up takes about 5 µs. */
export class LookalikeIndex {
  /** Registered domains, and their labels by search key. */
  readonly #domains = new Set<string>();
  readonly #bySkeleton = new Map<string, string>();
  readonly #byDeletion = new Map<string, string>();
  readonly #brands = new Map<string, string[]>();

  /** `names`: host suffixes of registered services, most important first; the list is cut at the limits above. */
  constructor(names: Iterable<string>) {
    let looked = 0;
    for (const name of names) {
      if (++looked > namesMax || this.#brands.size >= brandsMax) break;
      if (name.includes('*') || name.includes('/')) continue;
      const domain = registrableDomain(name);
      this.#domains.add(domain);
      const label = domain.slice(0, domain.indexOf('.'));
      const known = this.#brands.get(label);
      if (known !== undefined) known.push(domain);
      if (known !== undefined || label.length < brandLengthMin) continue;
      this.#brands.set(label, [domain]);
      this.#bySkeleton.set(skeleton(label), domain);
      for (const shorter of deletions(label)) this.#byDeletion.set(shorter, label);
    }
  }

  /** The registered domain that a normalised, unregistered host imitates. */
  find(host: string): string | undefined {
    const domain = registrableDomain(host);
    if (this.#domains.has(domain)) return undefined;
    return this.#inName(host, domain) ?? this.#imitated(domain);
  }

  /** Compares the label itself: other script, or one letter added, dropped, changed or swapped. */
  #imitated(domain: string): string | undefined {
    const dot = domain.indexOf('.');
    const label = domain.slice(0, dot);
    const top = domain.slice(dot);
    if (label.startsWith('xn--')) return this.#bySkeleton.get(skeleton(domainToUnicode(label)));
    if (label.length < brandLengthMin || this.#brands.has(label)) return undefined;
    const alike = this.#bySkeleton.get(skeleton(label));
    if (alike !== undefined) return alike;
    for (const shorter of [label, ...deletions(label)]) {
      const brand = this.#byDeletion.get(shorter) ?? (this.#brands.has(shorter) ? shorter : undefined);
      if (brand === undefined || !isOneStep(label, brand)) continue;
      // Short words are often one letter apart by chance, but rarely under the same top level or as a .com.
      const domains = this.#brands.get(brand) ?? [];
      const same = domains.find((name) => name.endsWith(top));
      if (same !== undefined) return same;
      if (label.length >= (top === '.com' ? 8 : 10)) return domains[0];
    }
    return undefined;
  }

  /** A registered name as a label (or as a part between hyphens) of a foreign name: `openai.com.evil.example`. */
  #inName(host: string, domain: string): string | undefined {
    const own = domain.slice(0, domain.indexOf('.'));
    const labels = [...host.slice(0, Math.max(0, host.length - domain.length - 1)).split('.'), own];
    for (let at = 0; at < labels.length - 1; at++) {
      // A whole registered domain in front of another one is never a coincidence.
      const pair = `${labels[at]}.${labels[at + 1]}`;
      if (this.#domains.has(pair)) return pair;
    }
    for (const part of own.split('-')) {
      if (part === own || part.length < insideLengthMin || commonWords.has(part)) continue;
      const found = this.#brands.get(part)?.[0];
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** All variants of the label with one letter left out. */
function deletions(label: string): string[] {
  return Array.from({ length: label.length }, (_, i) => label.slice(0, i) + label.slice(i + 1));
}

/** Whether `a` becomes `b` by adding, dropping or changing one letter, or by swapping two neighbours. */
function isOneStep(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.length > restB.length) return restA.slice(1) === restB;
  if (restA.length < restB.length) return restA === restB.slice(1);
  if (restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
