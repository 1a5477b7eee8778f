/** Formats of audit events: one line of text without a line break, whatever the event contains. */
import { hostname } from 'node:os';
import type { AuditFields } from '../audit-event.ts';
import { cefLine } from './cef.ts';
import { ecsLine } from './ecs.ts';
import { ocsfLine } from './ocsf.ts';
import { privetLine } from './privet.ts';
import { squidLine } from './squid.ts';

/** Where and when an event was written. `at`: the end of the request. */
export type Written = { readonly at: Date; readonly version: string; readonly hostname: string };

/** Formats an event as a line. The fields are already length-limited and free of control characters (`auditFields`). */
export type Format = (fields: AuditFields, written: Written) => string;

/** The names of the formats. */
export const formatNames = ['privet', 'ecs', 'ocsf', 'cef', 'squid'] as const;
export type FormatName = (typeof formatNames)[number];

export const formats: Readonly<Record<FormatName, Format>> = {
  privet: privetLine,
  ecs: ecsLine,
  ocsf: ocsfLine,
  cef: cefLine,
  squid: squidLine,
};

/** The name of this machine, as visible ASCII. */
export function machineName(): string {
  return hostname()
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 255);
}
