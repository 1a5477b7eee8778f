/** An audit trail and events for tests, as the configuration would build them. */

import { stringify } from 'yaml';
import { parseConfig } from '../../../config/load.ts';
import { AuditLog, type AuditOptions } from '../../../gateway/observe/audit.ts';
import type { AuditEvent } from '../../../gateway/observe/audit-event.ts';
import { createLog } from '../../../gateway/observe/log.ts';
import type { AuditSettings } from '../../../gateway/observe/sinks/open-sinks.ts';

/** The section `log.audit` with its defaults. */
export function auditSettings(section: Record<string, unknown>): AuditSettings {
  const { config, problems } = parseConfig(stringify({ log: { audit: section } }), 'test.yaml');
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config.log.audit;
}

/** A log whose lines can be inspected. */
export function collectLog() {
  const lines: string[] = [];
  const { log } = createLog({ level: 'info', sink: { write: (line) => lines.push(line) } });
  return { log, lines, events: () => lines.map((line) => JSON.parse(line)) };
}

/** An audit trail with the section `log.audit`. */
export function auditLog(section: Record<string, unknown>, options: Partial<AuditOptions> = {}): AuditLog {
  const { log } = collectLog();
  return new AuditLog({ settings: auditSettings(section), log, version: '1.2.3', stdout: () => {}, ...options });
}

export const event: AuditEvent = {
  requestId: 'r-1',
  subject: 'alice',
  clientAddress: '192.0.2.1',
  host: 'api.openai.com',
  service: 'openai-api',
  category: 'approved',
  action: 'allow',
  inspect: 'mask',
  rule: 'category approved',
  reason: 'OpenAI API is in category approved',
  method: 'POST',
  status: 200,
  bytesIn: 10,
  bytesOut: 20,
  durationMs: 1.23456,
  intercepted: true,
  piiTypes: { EMAIL: 2 },
};

/** A request of an agent, with every kind of finding. */
export const agentEvent: AuditEvent = {
  ...event,
  agent: 'claude-cli',
  mcpServers: ['docs.example', 'github'],
  tools: ['github/search'],
  toolFindings: [
    { kind: 'not_allowed', tool: 'github/delete_repo', place: 'tools[1]', answer: 'strip', rule: 'no deletion' },
    {
      kind: 'poisoned',
      tool: 'docs.example/read',
      place: 'tools[2].description',
      answer: 'report',
      signs: ['secrecy'],
    },
  ],
  injection: {
    kind: 'tool_results',
    risk: 'critical',
    categories: ['prompt_injection', 'role_override'],
    place: 'messages[2].content',
    answer: 'report',
  },
};

/** An event whose external values try to inject other fields. */
export const hostile: AuditEvent = {
  ...event,
  subject: 'eve\n<134>1 - - - - - - root|a=b\\ c\r\n{"event":"decision"}\u202e\u001b[2J "日本"',
  host: 'a|b=c\\d\nCEF:0|x.example',
  method: 'GET / HTTP/1.1\r\nX: y',
  rule: 'r|=\\\u2028\u0000',
  reason: 'said "no"\n\tsrc=10.0.0.1 | act=allow',
  groups: ['g\n|=', '%0a'],
  justification: 'because\r\nof |\\=',
  error: undefined,
};
