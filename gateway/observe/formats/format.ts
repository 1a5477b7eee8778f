/** Formats of audit events: one line of text without a line break, whatever the event contains. */

import { hostname } from 'node:os';
import { cefLine } from './cef.ts';
import { ecsLine } from './ecs.ts';
import type { Format } from './line.ts';
import { ocsfLine } from './ocsf.ts';
import { privetLine } from './privet.ts';
import { squidLine } from './squid.ts';

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
