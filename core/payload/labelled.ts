/**
 * Short values whose meaning stands in their name: `"ssn": "536221234"` of a JSON body, `password=…` of a form. A text is
 * looked at alone, so that its name has to be put in front of it.
 */

import type { Detection } from '../recognizer.ts';
import { identifierLabels } from '../recognizers/identifiers.ts';
import { typeOfHeading } from '../records/headings.ts';

/** Names that may tell of personal data; what they really mean is for the recognizers to say. */
const personalName =
  /ssn|social|birth|dob|passport|account|acct|routing|iban|my_?number|licen[cs]e|phone|mobile|cell|tel|fax|card|pan|tax|\bein|itin|insurance|pension|plate|residen|national|medical|patient|name|address|[\u3041-\u30ff\u4e00-\u9fff]/i;
/** Names of secrets. Whoever a body is for may need them; only what is told to a model does not. */
const secretName = /pass|pwd|\bpin|secret|token|key|credential|パス|暗証/i;

const valueMax = 128;
const nameMax = 64;

/** Whether a value is to be looked at with its name; `isData`: no name at this place has a meaning for the receiver. */
export function isLabel(name: string, value: string, isData: boolean): boolean {
  if (value.length > valueMax || value.length === 0 || name.length > nameMax || name === '') return false;
  if (value.includes('\n')) return false;
  const type = typeOfHeading(name);
  if (value.length < 2) return type === 'NAME';
  if (type !== undefined && type !== 'PASSWORD' && type !== 'OTP_CODE') return true;
  return personalName.test(name) || (isData && (secretName.test(name) || type !== undefined)) || namesIdentifier(name);
}

/** Whether the name is a label of an identifier, in whichever language. */
function namesIdentifier(name: string): boolean {
  return (identifierLabels().in(name)?.owners.length ?? 0) > 0;
}

const measureName =
  /(?:^|_)(?:at|ts|count|amount|value|version|build|index|expires|users|followers|score|total|hops|scans|hash|size|length|ids)$|(?:At|Ts|Count|Amount|Value|Version|Build|Index|Expires|Users|Followers|Score|Total|Hops|Scans|Hash|Size|Length|Ids|IDs)$|件数$/;
/** Part of many other words, and a thing of its own: `cancelled`, `cell_voltage`, `excel_cell`. */
const weakWord = /cell/gi;
const cellName =
  /^cell$|^(?:home|work|office|my|personal|private|contact|emergency|primary|secondary|alt|alternate|other|main|business|user|customer|client|patient|member|employee|owner|agent|manager|driver|student|tenant|applicant|spouse|partner|parent|guardian|mother|father)[-_ ]?cell$|^cell[-_ ]?(?:no|nr|num|number)$/i;

/** Whether the name of a number in a record tells that it is a person's, and neither a time nor an amount or a count. */
export function isPersonsName(name: string): boolean {
  return !measureName.test(name) && (cellName.test(name) || personalName.test(name.replace(weakWord, '')));
}

/**
 * What is known of a text by its place: its name, where that tells what it means; as an object where secrets in it are
 * for the receiver, and do not count.
 */
export type TextLabel = string | { readonly name: string | undefined };

/** False for what authenticates somebody. */
export function isNoSecret({ type }: Detection): boolean {
  return !/^(?:API_KEY|PASSWORD|JWT|PRIVATE_KEY)$/.test(type);
}

/** What is found in a value, with its name in sight where it has one. Offsets are those of the value. */
export function detectLabelled<T extends readonly Detection[] | Promise<readonly Detection[]>>(
  detect: (text: string) => T,
  label: TextLabel | undefined,
  value: string,
): T | Detection[] {
  if (label === undefined) return detect(value);
  if (typeof label === 'object') {
    const found = detectLabelled(detect, label.name, value);
    return (found instanceof Promise ? found.then((all) => all.filter(isNoSecret)) : found.filter(isNoSecret)) as T;
  }
  const name = label.replace(/["\\\n]/g, ' ');
  const hasQuotes = /["\\]/.test(value);
  const before = hasQuotes ? `${name}: ` : `"${name}": "`;
  const found = detect(before + value + (hasQuotes ? '' : '"'));
  // So short a text is searched at once.
  if (found instanceof Promise) return detect(value);
  const from = before.length;
  const inside = found
    .filter(({ start, end }) => start >= from && end <= from + value.length)
    .map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
  if (inside.length === 0) return detect(value);
  // A secret in one word is the whole of it, whatever sign would end it in a sentence.
  const [only] = inside;
  const isSecret = inside.length === 1 && (only?.type === 'PASSWORD' || only?.type === 'API_KEY') && !/\s/.test(value);
  return isSecret ? [{ ...(only as Detection), value, start: 0, end: value.length }] : inside;
}
