/**
 * Short values whose meaning is in their name: `"ssn": "536221234"` in JSON, `password=…` in a form. Detection sees one
 * text at a time, so the name is prepended to the value.
 */

import { anyOf } from '../patterns.ts';
import type { Detection } from '../recognizer.ts';
import { identifierLabels } from '../recognizers/identifiers/recognizer.ts';
import { typeOfHeading } from '../records/headings.ts';
import { remembering } from '../remembered.ts';
import { isTextInBase64 } from './base64.ts';

/** Names that may indicate personal data; the recognizers decide. */
const personalName = new RegExp(
  anyOf(String.raw`
    ssn social birth dob passport account acct routing iban my_?number licen[cs]e phone mobile cell tel fax card pan tax
    \bein itin insurance pension plate residen national medical patient name address [\u3041-\u30ff\u4e00-\u9fff]`),
  'i',
);
/** Names of secrets. The receiver of a body may need them, but a model does not. */
const secretName = /pass|pwd|\bpin|secret|token|key|credential|パス|暗証/i;

const valueMax = 128;
const nameMax = 64;

/** True if a value is searched together with its name; `isData`: names have no meaning for the receiver here. */
export function isLabel(name: string, value: string, isData: boolean): boolean {
  if (value.length > valueMax || value.length === 0 || name.length > nameMax || name === '') return false;
  if (value.includes('\n')) return false;
  if (value.length < 2) return typeOfHeading(name) === 'NAME';
  const meaning = meaningOf(name);
  return meaning === 'person' || (isData && meaning === 'secret');
}

type Meaning = 'person' | 'secret' | undefined;

const meaningOf = remembering(
  (name): Meaning => {
    const type = typeOfHeading(name);
    const isPersonal = type !== undefined && type !== 'PASSWORD' && type !== 'OTP_CODE';
    if (isPersonal || personalName.test(name) || namesIdentifier(name)) return 'person';
    return type !== undefined || secretName.test(name) ? 'secret' : undefined;
  },
  { max: 4_096 },
);

/** True if the name is a label of an identifier, in any language. */
function namesIdentifier(name: string): boolean {
  return (identifierLabels().in(name)?.owners.length ?? 0) > 0;
}

const measures = `at ts count amount value version build index expires users followers score total hops scans hash size
  length ids`;
const capitalMeasures = `${measures.replace(/\b[a-z]/g, (first) => first.toUpperCase())} IDs`;
const measureName = new RegExp(`(?:^|_)${anyOf(measures)}$|${anyOf(capitalMeasures)}$|件数$`);
/** Also part of other words and names: `cancelled`, `cell_voltage`, `excel_cell`. */
const weakWord = /cell/gi;
const cellOwner = anyOf(`
  home work office my personal private contact emergency primary secondary alt alternate other main business user customer
  client patient member employee owner agent manager driver student tenant applicant spouse partner parent guardian mother
  father`);
const cellName = new RegExp(`^cell$|^${cellOwner}[-_ ]?cell$|^cell[-_ ]?(?:no|nr|num|number)$`, 'i');

/** True if the name of a number in a record is personal, rather than a time, an amount or a count. */
export function isPersonsName(name: string): boolean {
  return !measureName.test(name) && (cellName.test(name) || personalName.test(name.replace(weakWord, '')));
}

/** The name of a text, if it indicates the meaning; as an object, if secrets in the text are meant for the receiver. */
export type TextLabel = string | { readonly name: string | undefined };

/** True unless the detection is a credential. */
export function isNoSecret({ type }: Detection): boolean {
  return !/^(?:API_KEY|PASSWORD|JWT|PRIVATE_KEY)$/.test(type);
}

/** Searches a value together with its name, if any. Offsets are relative to the value. */
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
  // Short texts are searched synchronously.
  if (found instanceof Promise) return detect(value);
  const from = before.length;
  const inside = found
    .filter(({ start, end }) => start >= from && end <= from + value.length)
    .map((detection) => ({ ...detection, start: detection.start - from, end: detection.end - from }));
  if (inside.length === 0) return detect(value);
  // A one-word secret is the complete value, even with a character that would end it in a sentence.
  const [only] = inside;
  const isSecret = inside.length === 1 && (only?.type === 'PASSWORD' || only?.type === 'API_KEY') && !/\s/.test(value);
  return isSecret ? [{ ...(only as Detection), value, start: 0, end: value.length }] : inside;
}

/** Matches complete names, because other names start alike: `page_content`, `statement`. */
const cursorEnding = anyOf(`
  cursor(?:_?(?:mark|id|token))? (?:page|pagination|next|prev|sync|resume|continuation)_?token next_?marker continuation`);
const position = anyOf('(?:next|prev(?:ious)?)(?:_?page)? page after before since offset state checkpoint');
const cursorName = new RegExp(`${cursorEnding}$|^${position}(?:_?(?:id|key|token))?$`, 'i');

/** True for base64 of a text, except a service's cursors and values whose name makes them a finding (a key). */
export function isCodedText(name: string, value: string, isData: boolean): boolean {
  return isTextInBase64(value) && !cursorName.test(name) && !isLabel(name, value, isData);
}
