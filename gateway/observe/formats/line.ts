/** The interface of audit line formats. */
import type { AuditFields } from '../audit-event.ts';

/** Where and when an event was written. `at`: the end of the request. */
export type Written = { readonly at: Date; readonly version: string; readonly hostname: string };

/** Formats an event as a line. The fields are already length-limited and free of control characters (`auditFields`). */
export type Format = (fields: AuditFields, written: Written) => string;

/** The fields of the event that the formats of others lack, under the names of the log. */
export function ownFields(fields: AuditFields) {
  return {
    kind: fields.kind,
    category: fields.category,
    inspect: fields.inspect,
    intercepted: fields.intercepted,
    pii_types: fields.piiTypes,
    masked: fields.masked,
    restored: fields.restored,
    unresolved: fields.unresolved,
    would_action: fields.wouldAction,
    would_rule: fields.wouldRule,
    justification: fields.justification,
    mcp_servers: fields.mcpServers,
    tools: fields.tools,
    tool_findings: fields.toolFindings,
  };
}
