/**
 * Problems in tool descriptions: hidden instructions to the model ("tool poisoning"), invisible characters, and
 * mentions of another server's tools ("shadowing").
 */

import type { Keys } from '../formats/agents.ts';
import { detectInjection } from '../injection/index.ts';
import type { ToolRef } from './tool-names.ts';
import words from './words.json' with { type: 'json' };

/** Kinds of findings in a definition. */
export type DefinitionFinding = {
  readonly kind: 'poisoned' | 'invisible' | 'shadows';
  /** Position in the definition, without text. */
  readonly keys: Keys;
  /** Categories of the injection engine, or the word lists that matched together. */
  readonly signs: readonly string[];
};

/** Maximum number of texts and characters checked per definition. */
const textsMax = 2_000;
const depthMax = 40;
/** Shorter texts are names and values. */
const proseUnitsMin = 24;

/** Tag characters, except those of regional flags. */
const hiddenTag = String.raw`(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,6})[\u{E0000}-\u{E007F}]`;
/** Also direction changes, zero-width spaces, and supplementary variation selectors. */
const hidden = new RegExp(
  String.raw`${hiddenTag}|[\u202A-\u202E\u2066-\u2069\u200B\u2060-\u2064]|[\u{E0100}-\u{E01EF}]`,
  'u',
);
/** Joiners and soft hyphens between letters of a script that does not join. */
const joined = /(?<=[\x21-\x7E])(?:\u200C|\u200D|\u00AD|\uFEFF)+(?=[\x21-\x7E])/u;

/** All problems of a definition. `others`: tools of other servers in the same request. */
export function definitionFindings(
  definition: Readonly<Record<string, unknown>>,
  own: ToolRef,
  others: readonly ToolRef[] = [],
): DefinitionFinding[] {
  const findings: DefinitionFinding[] = [];
  const seen = new Set<string>();
  const add = (kind: DefinitionFinding['kind'], keys: Keys, signs: readonly string[]) => {
    if (seen.has(kind)) return;
    seen.add(kind);
    findings.push({ kind, keys, signs });
  };
  let all = '';
  for (const { text, keys } of textsOf(definition)) {
    if (hidden.test(text) || joined.test(text)) add('invisible', keys, []);
    if (text.length < proseUnitsMin) continue;
    all += `${text}\n`;
    const { injectionDetected, categories } = detectInjection(text);
    if (injectionDetected) add('poisoned', keys, categories);
    else {
      const signs = signsOf(text);
      if (isPoison(signs)) add('poisoned', keys, signs);
    }
  }
  // An instruction may be split across several parameter descriptions.
  const signs = signsOf(all);
  if (signs.includes('secrecy') && isPoison(signs)) add('poisoned', [], signs);
  const shadowed = own.server === undefined ? undefined : others.find((other) => speaksOf(all, other, own));
  if (shadowed !== undefined) add('shadows', [], [shadowed.name]);
  return findings;
}

const lists = ['secrecy', 'sources', 'orders', 'carries', 'redirects'] as const;
/** Text marked as meant only for the model. */
const markedPart = /<\s*(?:important|system|secret|instructions?|hidden|admin|critical)\s*>/i;

function signsOf(text: string): string[] {
  const lower = text.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ');
  const signs: string[] = lists.filter((list) => words[list].some((word) => lower.includes(word)));
  if (markedPart.test(text)) signs.push('marked');
  return signs;
}

/** True for several signs; ordinary descriptions have at most one. */
function isPoison(signs: readonly string[]): boolean {
  const has = (...wanted: string[]) => wanted.every((sign) => signs.includes(sign));
  if (has('secrecy') && (has('carries') || has('sources') || has('orders') || has('marked'))) return true;
  if (has('sources', 'carries') && (has('orders') || has('marked') || has('redirects'))) return true;
  return has('marked') && (has('orders') || has('sources') || has('redirects'));
}

/** True if a text mentions another server's tool by a name that is not an ordinary word. */
function speaksOf(text: string, other: ToolRef, own: ToolRef): boolean {
  if (other.server === own.server || other.name === own.name || !text.includes(other.name)) return false;
  const isName = /[_\-.]|[a-z][A-Z]/.test(other.name) && other.name.length >= 5;
  const quoted = isName ? '' : '[`"\']';
  return new RegExp(`(?<![\\w-])${quoted}${escaped(other.name)}${quoted}(?![\\w-])`).test(text);
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function* textsOf(value: unknown): Generator<{ text: string; keys: Keys }> {
  const waiting: { value: unknown; keys: Keys }[] = [{ value, keys: [] }];
  let count = 0;
  while (waiting.length > 0 && count < textsMax) {
    const { value: one, keys } = waiting.pop() as { value: unknown; keys: Keys };
    if (typeof one === 'string') {
      count++;
      yield { text: one, keys };
    } else if (typeof one === 'object' && one !== null && keys.length < depthMax) {
      const entries = Array.isArray(one) ? [...one.entries()] : Object.entries(one);
      for (const [key, member] of entries.reverse()) {
        waiting.push({ value: member, keys: [...keys, key] });
        // The model also reads parameter names.
        if (typeof key === 'string' && key.length >= proseUnitsMin) waiting.push({ value: key, keys });
      }
    }
  }
}
