/**
 * Common Event Format, version 0 (ArcSight "Implementing CEF"): a head of seven fields separated by pipes, and
 * key=value pairs. The head escapes `\` and `|`, values escape `\`, `=` and line breaks.
 */

import { isIPv4, isIPv6 } from 'node:net';
import type { AuditFields } from '../audit-event.ts';
import { outcomeOf } from '../outcome.ts';
import type { Format } from './line.ts';

type Value = string | number | undefined;

/** One line, such as `CEF:0|Privet|Privet|1.0|block|request blocked|7|rt=… src=…`. */
export const cefLine: Format = (fields, { at, version, hostname }) => {
  const { clientAddress, subject, host, error } = fields;
  const outcome = outcomeOf(fields);
  const types = Object.entries(fields.piiTypes ?? {}).map(([type, count]) => `${type}:${count}`);
  const pairs: [key: string, value: Value][] = [
    ['rt', at.getTime()],
    ['dvchost', hostname],
    ['externalId', fields.requestId],
    ['src', isIPv4(clientAddress) ? clientAddress : undefined],
    ...labelled('c6a2', 'Source IPv6 Address', isIPv6(clientAddress) ? clientAddress : undefined),
    ['suser', subject === clientAddress ? undefined : subject],
    ['dhost', host],
    ['dpt', host === '' ? undefined : fields.port],
    ['requestMethod', fields.method],
    ['act', outcome.action],
    ['outcome', fields.status],
    ['in', fields.bytesIn],
    ['out', fields.bytesOut],
    ['reason', error],
    ['msg', fields.reason],
    ...labelled('cs1', 'service', fields.service),
    ...labelled('cs2', 'category', fields.category),
    ...labelled('cs3', 'rule', fields.rule),
    ...labelled('cs4', 'inspect', fields.inspect),
    ...labelled('cs5', 'piiTypes', types.length === 0 ? undefined : types.join(',')),
    ...labelled('cs6', 'wouldAction', fields.wouldAction),
    ...labelled('flexString1', 'injection', injectionOf(fields)),
    ...labelled(
      'flexString2',
      'toolFindings',
      fields.toolFindings
        ?.map(({ kind, tool }) => `${kind}:${tool}`)
        .join(',')
        .slice(0, flexMax),
    ),
    ...labelled('cn1', 'masked', fields.masked),
    ...labelled('cn2', 'restored', fields.restored),
    ...labelled('cn3', 'durationMs', Math.round(fields.durationMs)),
  ];
  const head = ['CEF:0', 'Privet', 'Privet', version, outcome.action, outcome.title, outcome.cef];
  const extension = pairs.filter(([, value]) => value !== undefined && value !== '');
  return `${head.map((part) => escapeHead(String(part))).join('|')}|${extension
    .map(([key, value]) => `${key}=${escapeValue(String(value))}`)
    .join(' ')}`;
};

/** The dictionary's length of `flexString1` and `flexString2`. */
const flexMax = 1023;

function injectionOf({ injection }: AuditFields): string | undefined {
  return injection === undefined ? undefined : `${injection.kind}:${injection.risk}:${injection.categories.join('+')}`;
}

function labelled(key: string, label: string, value: Value): [string, Value][] {
  return value === undefined || value === ''
    ? []
    : [
        [key, value],
        [`${key}Label`, label],
      ];
}

function escapeHead(text: string): string {
  return text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' ');
}

function escapeValue(text: string): string {
  return text.replace(/[\\=]/g, '\\$&').replace(/\r/g, '\\r').replace(/\n/g, '\\n');
}
