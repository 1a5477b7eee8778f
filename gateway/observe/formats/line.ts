/** The interface of audit line formats. */
import type { AuditFields } from '../audit-event.ts';

/** Where and when an event was written. `at`: the end of the request. */
export type Written = { readonly at: Date; readonly version: string; readonly hostname: string };

/** Formats an event as a line. The fields are already length-limited and free of control characters (`auditFields`). */
export type Format = (fields: AuditFields, written: Written) => string;
