/**
 * OCSF 1.9 (schema.ocsf.io), class HTTP Activity (4002) with the profiles host, security_control and, for requests of AI
 * programs, ai_operation. Fields that OCSF lacks are in `unmapped`.
 */

import { isIP } from 'node:net';
import type { AuditFields } from '../audit-event.ts';
import { outcomeOf } from '../outcome.ts';
import { type Format, ownFields } from './line.ts';

const classUid = 4002;
/** Method → `activity_id`; others are 99. */
const activities: Readonly<Record<string, number>> = {
  CONNECT: 1,
  DELETE: 2,
  GET: 3,
  HEAD: 4,
  OPTIONS: 5,
  POST: 6,
  PUT: 7,
  TRACE: 8,
  PATCH: 9,
};

/** One JSON document. */
export const ocsfLine: Format = (fields, { at, version, hostname }) => {
  const { subject, clientAddress, host, port, method, action, error, status, durationMs } = fields;
  const { isDenied, isSuccess, ocsf: severity } = outcomeOf(fields);
  const activity = (Object.hasOwn(activities, method) ? activities[method] : undefined) ?? 99;
  const end = at.getTime();
  // The target of a malformed request is unknown.
  const hasTarget = host !== '';
  return JSON.stringify({
    category_uid: 4,
    category_name: 'Network Activity',
    class_uid: classUid,
    class_name: 'HTTP Activity',
    activity_id: activity,
    activity_name: activity === 99 ? method : `${method[0]}${method.slice(1).toLowerCase()}`,
    type_uid: classUid * 100 + activity,
    severity_id: severity,
    time: end,
    start_time: end - Math.round(durationMs),
    end_time: end,
    duration: Math.round(durationMs),
    message: fields.reason,
    status_id: isSuccess ? 1 : 2,
    status_code: String(status),
    status_detail: error,
    action_id: isDenied ? 2 : action === undefined ? 0 : 1,
    disposition_id: isDenied ? 2 : action === undefined ? 0 : 1,
    policy: fields.rule === undefined ? undefined : { name: fields.rule, is_applied: true },
    ...riskOf(fields),
    ...aiOf(fields),
    metadata: {
      version: '1.9.0',
      profiles: ['host', 'security_control', ...(isOfAi(fields) ? ['ai_operation'] : [])],
      product: { name: 'Privet', vendor_name: 'Privet', version },
      uid: fields.requestId,
      log_name: 'audit',
      logged_time: end,
    },
    device: { hostname, type_id: 0 },
    actor: subject === clientAddress ? undefined : { user: userOf(fields) },
    src_endpoint: isIP(clientAddress) === 0 ? { name: clientAddress } : { ip: clientAddress },
    dst_endpoint: hasTarget ? { ...(isIP(host) === 0 ? { hostname: host } : { ip: host }), port } : undefined,
    http_request: {
      http_method: method,
      uid: fields.requestId,
      length: fields.bytesIn,
      // Paths are not recorded.
      url: hasTarget
        ? {
            hostname: host,
            port,
            url_string: method === 'CONNECT' ? `${host}:${port ?? ''}` : `//${host}:${port ?? ''}/`,
          }
        : undefined,
    },
    http_response: { code: status, length: fields.bytesOut },
    traffic: {
      bytes_out: fields.bytesIn,
      bytes_in: fields.bytesOut,
      bytes: fields.bytesIn + fields.bytesOut,
    },
    app_name: fields.service,
    unmapped: { ...ownFields(fields), action },
  });
};

function userOf({ subject, groups = [] }: AuditFields) {
  return { name: subject, ...(groups.length === 0 ? {} : { groups: groups.map((name) => ({ name })) }) };
}

/** The profile applies only to programs that use tools or an AI service. */
function isOfAi({ agent, mcpServers, tools, service, injection }: AuditFields): boolean {
  return agent !== undefined && (service ?? mcpServers ?? tools ?? injection) !== undefined;
}

/** Profile ai_operation: the program and the service it uses. Model and token counts are not known here. */
function aiOf(fields: AuditFields) {
  const { agent, service, host } = fields;
  if (!isOfAi(fields)) return {};
  return { message_context: { application: { name: agent }, service: { name: service ?? host } } };
}

/** Risk of an injection → `risk_level_id`. */
const riskLevels: Readonly<Record<string, number>> = { low: 1, medium: 2, high: 3, critical: 4 };

/** MITRE ATLAS: an injection in a prompt is direct, one in a tool result or document is indirect. */
function attackOf({ kind }: NonNullable<AuditFields['injection']>) {
  return {
    technique: { uid: 'AML.T0051', name: 'LLM Prompt Injection' },
    sub_technique:
      kind === 'prompts' ? { uid: 'AML.T0051.000', name: 'Direct' } : { uid: 'AML.T0051.001', name: 'Indirect' },
  };
}

/** Profile security_control: findings in prompts, results and tools, and the tool rules that matched. */
function riskOf({ injection, toolFindings = [] }: AuditFields) {
  if (injection === undefined && toolFindings.length === 0) return {};
  const details = toolFindings.map(({ kind, tool, place }) => `${kind}: ${tool} at ${place}`);
  if (injection !== undefined) {
    const { kind, categories, place } = injection;
    details.unshift(`injection in ${kind} at ${place}: ${categories.join(', ')}`);
  }
  const decided = toolFindings.flatMap(({ rule, answer }) =>
    rule === undefined ? [] : [{ decision: answer, policy: { name: rule } }],
  );
  return {
    is_alert: true,
    risk_details: details.join('; '),
    ...(injection === undefined
      ? {}
      : { risk_level_id: riskLevels[injection.risk] ?? 99, attacks: [attackOf(injection)] }),
    ...(decided.length === 0 ? {} : { authorizations: decided }),
  };
}
