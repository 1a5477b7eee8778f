/**
 * Checks of the audit formats against their specifications: returns the errors of a line as sentences, none if it is
 * valid.
 */
import { readFileSync } from 'node:fs';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { EcsFlat } from '@elastic/ecs';
import { Ajv } from 'ajv';
import type { FormatName } from '../../../gateway/observe/formats/format.ts';

type EcsField = {
  readonly type: string;
  readonly normalize?: readonly string[];
  readonly allowed_values?: readonly { readonly name: string; readonly expected_event_types?: readonly string[] }[];
};

const ecsFields = EcsFlat as unknown as Readonly<Record<string, EcsField>>;

const ecsTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  date: (value) => typeof value === 'string' && new Date(value).toISOString() === value,
  long: Number.isSafeInteger,
  ip: (value) => isIP(String(value)) !== 0,
};
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Every field must be an ECS field with its type and one of its values; our own fields are below `privet`. */
function checkEcs(line: string): string[] {
  const problems: string[] = [];
  const document = JSON.parse(line);
  const visit = (value: unknown, name: string): void => {
    const field = ecsFields[name];
    if (field === undefined) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) problems.push(`${name} is no field`);
      else for (const [key, member] of Object.entries(value)) visit(member, name === '' ? key : `${name}.${key}`);
      return;
    }
    const isList = field.normalize?.includes('array') === true;
    if (isList !== Array.isArray(value)) problems.push(`${name} ${isList ? 'has to be' : 'is'} a list`);
    for (const one of [value].flat()) {
      if (!(ecsTypes[field.type] ?? isText)(one)) problems.push(`${name} is no ${field.type}: ${String(one)}`);
      const { allowed_values: allowed = [] } = field;
      if (allowed.length > 0 && !allowed.some((value) => value.name === one))
        problems.push(`${name} may not be ${String(one)}`);
    }
  };
  const { privet: _ours, ...rest } = document;
  visit(rest, '');
  const categories = ecsFields['event.category']?.allowed_values ?? [];
  const expected = categories
    .filter(({ name }) => document.event.category.includes(name))
    .flatMap(({ expected_event_types: types = [] }) => types);
  for (const type of document.event.type)
    if (!expected.includes(type)) problems.push(`event.type ${type} fits no category`);
  return problems;
}

const ocsfSchema = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/audit/ocsf-http-activity.schema.json'), 'utf8')),
);

function checkOcsf(line: string): string[] {
  const document = JSON.parse(line);
  const problems = ocsfSchema(document)
    ? []
    : (ocsfSchema.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  if (document.type_uid !== document.class_uid * 100 + document.activity_id) problems.push('type_uid does not fit');
  // Schema page of `action_id`: the disposition has to conform to the action.
  if (document.action_id === 2 && document.disposition_id === 1) problems.push('denied, and the disposition allowed');
  if (document.action_id === 1 && document.disposition_id === 2) problems.push('allowed, and the disposition blocked');
  return problems;
}

const upTo =
  (max: number) =>
  (text: string): boolean =>
    text.length <= max;
const isWhole = (text: string): boolean => /^\d+$/.test(text);

/** The dictionary of "Implementing ArcSight Common Event Format", for the keys that an access event may have. */
const cefKeys: Readonly<Record<string, (text: string) => boolean>> = {
  rt: (text) => /^\d{13}$/.test(text),
  dvchost: upTo(100),
  externalId: upTo(40),
  src: isIPv4,
  suser: upTo(1023),
  dhost: upTo(1023),
  dpt: (text) => isWhole(text) && Number(text) <= 65_535,
  requestMethod: upTo(1023),
  act: upTo(63),
  outcome: upTo(63),
  in: isWhole,
  out: isWhole,
  reason: upTo(1023),
  msg: upTo(1023),
  c6a2: isIPv6,
  c6a2Label: (text) => text === 'Source IPv6 Address',
  flexString1: upTo(1023),
  flexString1Label: upTo(128),
  flexString2: upTo(1023),
  flexString2Label: upTo(128),
};

/** The seven fields of the head of a CEF line, and its pairs. Throws for any other line. */
export function readCef(line: string): { head: string[]; pairs: Record<string, string> } {
  const head: string[] = [];
  let rest = line;
  for (let i = 0; i < 7; i++) {
    const match = /^((?:\\[\\|]|[^\\|])*)\|/.exec(rest);
    if (match === null) throw new Error(`field ${i} of the head`);
    head.push((match[1] as string).replace(/\\([\\|])/g, '$1'));
    rest = rest.slice(match[0].length);
  }
  const pairs: Record<string, string> = {};
  const pair = /(?:^| )([A-Za-z0-9_]+)=((?:\\[\\=rn]|[^\\=])*?)(?= [A-Za-z0-9_]+=|$)/gy;
  let at = 0;
  for (let match = pair.exec(rest); match !== null; match = pair.exec(rest)) {
    pairs[match[1] as string] = (match[2] as string).replace(/\\([\\=])/g, '$1');
    at = pair.lastIndex;
  }
  if (at !== rest.length) throw new Error(`rest of the pairs: ${rest.slice(at)}`);
  return { head, pairs };
}

function checkCef(line: string): string[] {
  const problems: string[] = [];
  const { head, pairs } = readCef(line);
  if (head[0] !== 'CEF:0') problems.push(`the version is ${head[0]}`);
  if (!/^(?:\d|10)$/.test(head[6] ?? '')) problems.push(`the severity is ${head[6]}`);
  for (const [key, value] of Object.entries(pairs)) {
    const custom = /^(cs|cn)[1-6](Label)?$/.exec(key);
    const isRight = custom
      ? custom[2]
        ? upTo(1023)(value)
        : custom[1] === 'cn'
          ? isWhole(value)
          : upTo(4000)(value)
      : cefKeys[key]?.(value);
    if (isRight === undefined) problems.push(`${key} is no key`);
    else if (!isRight) problems.push(`${key} may not be ${value}`);
    if (/^(?:c[sn]|c6a|flexString)\d$/.test(key) && pairs[`${key}Label`] === undefined)
      problems.push(`${key} has no label`);
  }
  return problems;
}

/** wiki.squid-cache.org/SquidFaq/SquidLogs: result codes and their suffixes. */
const squidResult = /^(?:NONE_NONE|TCP_(?:DENIED|TUNNEL|MISS)(?:_(?:TIMEOUT|ABORTED))?)\/\d{3}$/;
const squidLineForm = /^\d{9,}\.\d{3} +\d+ \S+ (\S+) \d+ \S+ \S+ \S+ (\S+) -$/;

function checkSquid(line: string): string[] {
  const [, result = '', way = ''] = squidLineForm.exec(line) ?? [];
  if (result === '') return ['not the ten fields of the native log'];
  const problems: string[] = [];
  if (!squidResult.test(result)) problems.push(`${result} is no result`);
  if (!/^(?:HIER_NONE\/-|HIER_DIRECT\/\S+)$/.test(way)) problems.push(`${way} is no way`);
  if (result.startsWith('TCP_DENIED') && way !== 'HIER_NONE/-') problems.push('denied, and sent on');
  return problems;
}

/** Our own format needs only its documented fields (docs/audit.md). */
function checkPrivet(line: string): string[] {
  const { ts, event, requestId, subject, host, method, status } = JSON.parse(line);
  const isRight =
    new Date(ts).toISOString() === ts && event === 'decision' && [requestId, subject].every(isText) && status >= 0;
  return isRight && typeof host === 'string' && typeof method === 'string' ? [] : ['a field is missing'];
}

/** By format: the errors of a line. */
export const formatChecks: Readonly<Record<FormatName, (line: string) => string[]>> = {
  privet: checkPrivet,
  ecs: checkEcs,
  ocsf: checkOcsf,
  cef: checkCef,
  squid: checkSquid,
};
