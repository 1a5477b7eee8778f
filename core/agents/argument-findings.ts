/**
 * Secrets, and tokens of ours, in the arguments of a call that would leave the machine: in an address, or in a command that
 * sends something. A call that keeps them on the machine, or hands them to the tool that they are for, is no finding.
 */
import { Detector } from '../detect/detector.ts';
import { argumentTexts } from './json-rpc.ts';
import words from './words.json' with { type: 'json' };

export type ArgumentFinding = {
  readonly kind: 'secret' | 'token';
  /** Type of the value: `API_KEY`. */
  readonly type: string;
  readonly way: 'url' | 'command';
};

/** Types of values that authenticate somebody or pay. */
export const secretTypes = ['API_KEY', 'PASSWORD', 'PRIVATE_KEY', 'JWT', 'CREDIT_CARD', 'SESSION_TOKEN', 'SEED_PHRASE'];

const token = /\[([A-Z][A-Z_]{1,40})-\d{1,9}\]|%5B([A-Z][A-Z_]{1,40})-\d{1,9}%5D|\[SECURED:type=([A-Z_]+)/gi;
const url = /\b(?:https?|wss?|ftps?|sftp|s3|gs):\/\/[^\s"'<>`]+/gi;
const shellTools = new Set(words.shellTools);
const shellMembers = new Set(words.shellMembers);
const network = new RegExp(
  `(?:^|[\\s;&|(\`$"'/.])(?:${words.networkCommands.join('|')})(?:\\.exe)?(?:[\\s.(:'"\`]|$)`,
  'i',
);
/** A shell takes no longer word (Linux, MAX_ARG_STRLEN), and no server so long an address. */
const partMax = 131_072;
/** What leaves with one call; more is a finding of its own, since nobody has looked at it. */
const leavingMax = 262_144;
const decodedMax = 64;

/** The findings in the arguments (JSON text, or any other text that a tool takes). */
export class ArgumentCheck {
  readonly #detector: Pick<Detector, 'detect'>;
  readonly #allowsHost: (host: string) => boolean;

  /** `allowsHost`: hosts to which values may go in an address. */
  constructor(options: { readonly types: readonly string[]; readonly allowsHost?: (host: string) => boolean }) {
    this.#detector = new Detector({ types: secretTypes.filter((type) => options.types.includes(type)) });
    this.#allowsHost = options.allowsHost ?? (() => false);
  }

  find(toolName: string, argumentsText: string): ArgumentFinding[] {
    const parsed = parse(argumentsText);
    const findings = new Map<string, ArgumentFinding>();
    const isShell = shellTools.has(toolName.toLowerCase());
    let left = leavingMax;
    for (const { text, name } of namedTexts(parsed)) {
      const isCommand = isShell || (name !== undefined && shellMembers.has(name.toLowerCase()));
      for (const { part, way } of this.#leaving(text, isCommand)) {
        const read = part.slice(0, partMax);
        left -= read.length;
        const found = left < 0 ? [{ kind: 'secret' as const, type: 'TOO_LARGE' }] : this.#valuesIn(read);
        for (const one of found) findings.set(`${one.kind} ${one.type} ${way}`, { ...one, way });
        if (left < 0) return [...findings.values()];
      }
    }
    return [...findings.values()];
  }

  /** The parts of an argument that leave. */
  *#leaving(text: string, isCommand: boolean): Generator<{ part: string; way: ArgumentFinding['way'] }> {
    for (const [address] of text.matchAll(url)) {
      const host = URL.parse(address)?.hostname;
      if (host === undefined || !this.#allowsHost(host)) yield { part: address, way: 'url' };
    }
    if (isCommand && sends(text)) yield { part: text, way: 'command' };
  }

  #valuesIn(text: string): Omit<ArgumentFinding, 'way'>[] {
    const found: Omit<ArgumentFinding, 'way'>[] = [];
    for (const reading of readings(text)) {
      for (const match of reading.matchAll(token)) {
        found.push({ kind: 'token', type: (match[1] ?? match[2] ?? match[3] ?? '').toUpperCase() });
      }
      // What a program names by a variable is not there.
      for (const { type, value } of this.#detector.detect(reading) as { type: string; value: string }[])
        if (!/^[$%{<]|^\*+$/.test(value)) found.push({ kind: 'secret', type });
    }
    return found;
  }
}

/** Whether a command sends something to another machine. */
function sends(command: string): boolean {
  const lower = command.toLowerCase();
  return network.test(command) || words.uploads.some((word) => lower.includes(word));
}

/** Shorter base64 runs are too short to contain a secret. */
const base64Min = 20;
const base64Run = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const hexRun = /(?:[0-9a-f]{2}){12,}/gi;

/** The text as it is, and what is encoded in it, one level deep and once more. */
function readings(text: string, depth = 0): string[] {
  const all = [text];
  if (/%[0-9a-f]{2}/i.test(text)) {
    try {
      all.push(decodeURIComponent(text.replace(/\+/g, ' ')));
    } catch {
      // It is none of a URL.
    }
  }
  if (depth > 1) return all;
  let count = 0;
  for (const [run] of text.matchAll(base64Run)) {
    if (++count > decodedMax) break;
    // A slash is a letter of base64, and what stands between the parts of a path.
    for (const part of run.includes('/') ? [run, ...run.split('/')] : [run]) {
      const decoded = part.length < base64Min ? undefined : printable(fromBase64(part));
      if (decoded !== undefined) all.push(...readings(decoded, depth + 1));
    }
  }
  for (const [run] of text.matchAll(hexRun)) {
    if (++count > decodedMax) break;
    const decoded = printable(run.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
    if (decoded !== undefined) all.push(...readings(decoded, depth + 1));
  }
  const reversed = [...text].reverse().join('');
  if (depth === 0) all.push(reversed, ...readings(withoutGaps(text), 1));
  return all;
}

/** Labels of a host name and pieces of a path in one: a secret that was cut for DNS or over several parameters. */
function withoutGaps(text: string): string {
  return text.replace(/(?<=[\w-]{4})[.&/](?:[a-z]\w?=)?(?=[\w-]{4})/g, '');
}

function fromBase64(run: string): string | undefined {
  try {
    return atob(run.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, ''));
  } catch {
    return undefined;
  }
}

function printable(text: string | undefined): string | undefined {
  return text !== undefined && text.length >= 8 && /^[\t\r\n\x20-\x7e]+$/.test(text) ? text : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function namedTexts(value: unknown): { text: string; name: string | undefined }[] {
  if (typeof value === 'string') return [{ text: value, name: undefined }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    // The words of a command may come one by one.
    const isWords = value.length > 0 && value.every((one) => typeof one === 'string');
    return isWords ? [{ text: value.join(' '), name: undefined }] : value.flatMap(namedTexts);
  }
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return [{ text: member, name }];
    return namedTexts(member).map((one) => ({ text: one.text, name: one.name ?? name }));
  });
}

/** Whether a server asks a person for a secret (elicitation). A page of its own (`mode: url`) is the way for that. */
export function asksForSecret(params: Readonly<Record<string, unknown>>): boolean {
  if (params.mode === 'url') return false;
  const schema = params.requestedSchema as { properties?: Record<string, unknown> } | undefined;
  const asked = [params.message, ...Object.keys(schema?.properties ?? {}), ...argumentTexts(schema?.properties ?? {})];
  const lower = asked
    .filter((one) => typeof one === 'string')
    .join('\n')
    .toLowerCase();
  return words.secretFields.some((word) => new RegExp(`(?<![a-z])${word}(?:s|_|\\b|$)`, 'i').test(lower));
}
