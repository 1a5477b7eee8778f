import { EventReader, type Events, type FormClasses } from './events.ts';
import { compileLexicon, type Lexicon } from './lexicon.ts';
import { type PromptRule, promptRules } from './prompt-rules.ts';
import { type Units, unitFlag } from './units.ts';
import { vocabularies } from './vocabulary.ts';

/** A rule match. Offsets refer to the analysed text. */
export type RuleHit = {
  readonly rule: PromptRule;
  readonly start: number;
  readonly end: number;
  /** The rule's weight after counter signals are subtracted. */
  readonly weight: number;
  readonly strong: boolean;
  /** True for a prohibition: "never reveal …". */
  readonly denied: boolean;
};

export type RulesFound = {
  /** The best hit of each rule. */
  readonly hits: readonly RuleHit[];
  /** 1 for each class number with a word in the text. */
  readonly seen: Uint8Array;
  /** True if the text forbids a leak ("never reveal these instructions"), as ordinary system prompts do. */
  readonly defends: boolean;
};

type Compiled = { readonly rule: PromptRule; readonly parts: readonly number[]; readonly index: number };

/** The rules with the compiled vocabulary. Stateless. */
export class PromptEngine {
  readonly lexicon: Lexicon;
  /** The rules by their rarest class. */
  private readonly byRarest: readonly (readonly Compiled[])[];
  private readonly counter: Readonly<Record<CounterClass, number>>;
  private readonly forms: FormClasses;

  constructor() {
    this.lexicon = compileLexicon([...vocabularies, { address: '', open: '', image: '' }]);
    const classOf = (name: string): number => {
      const number = this.lexicon.classOf.get(name);
      if (number === undefined) throw new Error(`No word has the class "${name}".`);
      return number;
    };
    this.forms = {
      address: classOf('address'),
      open: classOf('open'),
      image: classOf('image'),
      carries: ['toai', 'become', 'mode', 'newtask', 'unrole'].map(classOf),
    };
    const byRarest: Compiled[][] = this.lexicon.classNames.map(() => []);
    promptRules.forEach((rule, index) => {
      const parts = rule.parts.map(classOf);
      byRarest[rarest(rule.parts, classOf)]?.push({ rule, parts, index });
    });
    this.byRarest = byRarest;
    this.counter = Object.fromEntries(counterClasses.map((name) => [name, classOf(name)])) as Record<
      CounterClass,
      number
    >;
  }

  /** Matches every rule against every sentence; `each` receives a sentence's classes before the next is read. */
  run(text: string, units: Units, each: (events: Events) => void): RulesFound {
    let defends = false;
    const reader = new EventReader(text, units, this.lexicon, this.forms);
    const best: (RuleHit | undefined)[] = new Array(promptRules.length).fill(undefined);
    const anywhere = new Uint8Array(this.lexicon.classNames.length);
    const stamps = new Int32Array(this.lexicon.classNames.length);
    const { events } = reader;
    const reading: Reading = { text, units, events };
    let sentence = 0;
    while (reader.next()) {
      sentence++;
      each(events);
      for (let i = 0; i < events.count; i++) stamps[events.class[i] ?? 0] = sentence;
      for (let i = 0; i < events.count; i++) {
        const number = events.class[i] ?? 0;
        if (stamps[number] !== sentence) continue;
        // Count each class once per sentence; a negative value still counts as seen.
        anywhere[number] = 1;
        for (const compiled of this.byRarest[number] ?? []) {
          const known = best[compiled.index];
          if (known !== undefined && known.weight >= compiled.rule.weight) continue;
          if (!hasAll(compiled.parts, stamps, sentence)) continue;
          const hit = this.match(compiled, reading);
          if (hit?.denied === true) defends = true;
          if (hit !== undefined && hit.weight > (known?.weight ?? 0)) best[compiled.index] = hit;
        }
        stamps[number] = -sentence;
      }
    }
    return { hits: best.filter((hit) => hit !== undefined), seen: anywhere, defends };
  }

  /** The best match of the rule's parts, in order, within the sentence. */
  private match(compiled: Compiled, read: Reading): RuleHit | undefined {
    const { parts, rule } = compiled;
    const { units, events } = read;
    const last = parts.length - 1;
    const ends = [-1, -1, -1, -1, -1];
    const firsts = [0, 0, 0, 0, 0];
    let best: RuleHit | undefined;
    for (let i = 0; i < events.count; i++) {
      const number = events.class[i] ?? 0;
      const from = events.from[i] ?? 0;
      const to = events.to[i] ?? 0;
      for (let part = last; part >= 0; part--) {
        if (parts[part] !== number) continue;
        if (part > 0) {
          const before = ends[part - 1] ?? -1;
          if (before < 0 || before > from) continue;
          const gap = (units.position[from] ?? 0) - positionAfter(units, before);
          if (gap > rule.gap) continue;
          firsts[part] = firsts[part - 1] ?? 0;
        } else firsts[0] = i;
        ends[part] = to;
        if (part < last) continue;
        const hit = this.weigh(compiled, read, { first: firsts[last] ?? 0, end: to });
        if (best === undefined || hit.weight > best.weight) best = hit;
        if (hit.weight >= rule.weight) return hit;
      }
    }
    return best;
  }

  /** Subtracts the counter signals. */
  private weigh(
    { rule, parts }: Compiled,
    { text, units, events }: Reading,
    span: { first: number; end: number },
  ): RuleHit {
    const { counter } = this;
    const from = events.from[span.first] ?? 0;
    const { end: to } = span;
    const place = units.position[from] ?? 0;
    const after = positionAfter(units, to);
    let factor = 1;
    let ordered = startsClause(text, units, from);
    let reported = false;
    let about = false;
    let denied = false;
    const quoted = ((units.flags[from] ?? 0) & unitFlag.quoted) !== 0;
    for (let i = 0; i < events.count; i++) {
      const number = events.class[i] ?? 0;
      const eventFrom = events.from[i] ?? 0;
      const eventTo = events.to[i] ?? 0;
      const inside = eventFrom >= from && eventTo <= to;
      if (number === counter.please && eventTo === from) ordered = true;
      else if (number === counter.reported && eventTo === from) reported = true;
      else if (
        number === counter.about ||
        (number === counter.aboutart && (quoted || !framed.includes(rule.category)))
      ) {
        const east = ((units.flags[eventFrom] ?? 0) & unitFlag.east) !== 0;
        if (eventTo <= from) about = true;
        else if (east && eventFrom >= to && (units.position[eventFrom] ?? 0) - after <= 3) about = true;
      } else if (number === counter.aboutafter) {
        if (eventFrom >= to && (units.position[eventFrom] ?? 0) - after <= 16) about = true;
      } else if (number === counter.not) {
        if (
          eventTo <= from &&
          place - positionAfter(units, eventTo) <= 10 &&
          parts[0] !== counter.not &&
          rule.category !== 'jailbreak'
        ) {
          factor = 0;
          denied = rule.category === 'system_prompt_leak';
        }
      } else if (number === counter.purpose) {
        if (
          (rule.category === 'system_prompt_leak' || rule.parts.includes('isvoid')) &&
          eventFrom < to &&
          eventTo > from + 1
        )
          factor = Math.min(factor, 0.4);
      } else if (number === counter.ownwords) {
        if (rule.category === 'role_override' && eventTo > from && eventFrom <= to) factor = 0;
      } else if (number === counter.indef) {
        if (inside && rule.category === 'system_prompt_leak') factor = Math.min(factor, 0.2);
      }
    }
    if (about || (quoted && isAskedAbout(text, units.end[to - 1] ?? 0))) factor = Math.min(factor, 0.3);
    if (reported && !ordered && rule.category === 'role_override') factor = Math.min(factor, 0.2);
    if (rule.order === true && !ordered) factor = Math.min(factor, 0.4);
    return {
      rule,
      start: units.start[from] ?? 0,
      end: units.end[to - 1] ?? 0,
      weight: rule.weight * factor,
      strong: rule.strong && factor === 1,
      denied,
    };
  }
}

/** Classes common in ordinary sentences, most frequent first. */
const frequent = (
  'all your none become not send effect output disclose everything refuse data recite earlier limit follow context ' +
  'undo others ainame nomatter place verbatim'
).split(' ');

function rarest(parts: readonly string[], classOf: (name: string) => number): number {
  const rank = (part: string): number => (frequent.includes(part) ? frequent.indexOf(part) : frequent.length);
  return classOf(parts.reduce((best, part) => (rank(part) > rank(best) ? part : best)));
}

/** True if the sentence has every part; an already examined class has a negative stamp. */
function hasAll(parts: readonly number[], stamps: Int32Array, sentence: number): boolean {
  for (let i = 0; i < parts.length; i++) {
    const stamp = stamps[parts[i] ?? 0] ?? 0;
    if (stamp !== sentence && stamp !== -sentence) return false;
  }
  return true;
}

type Reading = { readonly text: string; readonly units: Units; readonly events: Events };

/** Categories for which a story, a translation or an article may be the frame of the attack itself. */
const framed: readonly string[] = ['jailbreak', 'system_prompt_leak'];

/** Classes of words that indicate harmless text. */
export const counterClasses = [
  'please',
  'reported',
  'about',
  'aboutart',
  'aboutafter',
  'not',
  'ownwords',
  'indef',
  'purpose',
] as const;
type CounterClass = (typeof counterClasses)[number];

/** Maximum distance from a quoted order to the end of the question about it. */
const questionMax = 160;

/** True if the quotation around `from` ends within a question. */
function isAskedAbout(text: string, from: number): boolean {
  const after = text.slice(from, from + questionMax);
  return /^[^\n"”»’」』]*["”»’」』][^\n.。!！]*[?？؟]/.test(after);
}

function positionAfter(units: Units, to: number): number {
  return (units.position[to - 1] ?? 0) + (((units.flags[to - 1] ?? 0) & unitFlag.east) !== 0 ? 1 : 2);
}

/** True if a clause starts with this unit: a sentence, a line, or text after anything but a space. */
function startsClause(text: string, units: Units, unit: number): boolean {
  const flags = units.flags[unit] ?? 0;
  if ((flags & (unitFlag.sentence | unitFlag.line | unitFlag.east)) !== 0) return true;
  const start = units.start[unit] ?? 0;
  const before = units.end[unit - 1] ?? 0;
  for (let i = before; i < start; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x20 && code !== 0x27 && code !== 0x2d && code !== 0x5f) return true;
  }
  return false;
}
