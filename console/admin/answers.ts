/** Words and types of the API that several views use. */
import type { AuditEvent as WrittenEvent } from '../../gateway/observe/audit-event.ts';

export const actions = ['allow', 'warn', 'block'] as const;
export const categories = ['approved', 'monitoring', 'blocked'] as const;
export const inspects = ['mask', 'audit', 'tunnel'] as const;

export type ServiceChange = Readonly<Record<string, unknown>>;

/** An audit event: counts by type, never a value. */
export type AuditEvent = Omit<Partial<WrittenEvent>, 'service'> & {
  readonly ts: string;
  readonly subject: string;
  readonly action: string;
  readonly service: string | null;
};
