/** Log lines for people: `12:00:01 info  listening listener=proxy port=3128`. */
import { parseJson } from '../../core/parsing.ts';
import { plainField } from './field.ts';

const hidden = new Set(['level', 'ts', 'msg', 'event']);

/** Formats a JSON log line for a terminal; values are length-limited and free of control characters. */
export function terminalLine(json: string): string {
  const fields = parseJson(json) as Record<string, unknown> | undefined;
  if (fields === undefined) return '';
  const clock = String(fields.ts).slice(11, 19);
  const level = String(fields.level).padEnd(5);
  const parts = Object.entries(fields)
    .filter(([key, value]) => !hidden.has(key) && value !== undefined && value !== null)
    .map(([key, value]) => `${key}=${plainField(typeof value === 'string' ? value : JSON.stringify(value), 200)}`);
  const event = plainField(String(fields.event ?? fields.msg ?? ''), 100);
  const message = fields.event !== undefined && fields.msg !== undefined && fields.msg !== fields.event;
  const text = message ? ` (${plainField(String(fields.msg), 300)})` : '';
  return `${clock} ${level} ${event}${text}${parts.length > 0 ? ` ${parts.join(' ')}` : ''}\n`;
}
