/**
 * Elastic Common Schema 8 (elastic.co/docs/reference/ecs): its own fields, and ours below `privet`. `event.end` is the
 * time of writing.
 */

import { isIP } from 'node:net';
import { outcomeOf } from '../outcome.ts';
import { type Format, ownFields } from './line.ts';

const ecsVersion = '8.17.0';

/** One JSON document with nested objects, as expected by Filebeat and Elastic Agent (`ndjson`). */
export const ecsLine: Format = (fields, { at, version, hostname }) => {
  const { subject, clientAddress, host, port, error } = fields;
  const outcome = outcomeOf(fields);
  const user = subject === clientAddress ? undefined : subject;
  const isAddress = isIP(host) !== 0;
  // The target of a malformed request is unknown.
  const hasTarget = host !== '';
  return JSON.stringify({
    '@timestamp': at.toISOString(),
    ecs: { version: ecsVersion },
    message: `${outcome.action} ${fields.method}${hasTarget ? ` ${host}` : ''}`,
    event: {
      id: fields.requestId,
      kind: 'event',
      category: ['network', 'web'],
      type: ['access', outcome.isDenied ? 'denied' : 'allowed'],
      action: outcome.action,
      outcome: outcome.isSuccess ? 'success' : 'failure',
      reason: fields.reason,
      duration: Math.round(fields.durationMs * 1e6),
      start: new Date(at.getTime() - fields.durationMs).toISOString(),
      end: at.toISOString(),
      module: 'privet',
      dataset: 'privet.audit',
    },
    observer: { vendor: 'Privet', product: 'Privet', type: 'proxy', version, hostname },
    source: { address: clientAddress, ...(isIP(clientAddress) === 0 ? {} : { ip: clientAddress }) },
    destination: hasTarget ? { address: host, ...(isAddress ? { ip: host } : { domain: host }), port } : undefined,
    url: hasTarget ? { domain: host, port } : undefined,
    http: {
      request: { id: fields.requestId, method: fields.method, bytes: fields.bytesIn },
      response: { status_code: fields.status, bytes: fields.bytesOut },
    },
    user: user === undefined ? undefined : { name: user },
    rule: fields.rule === undefined ? undefined : { name: fields.rule },
    error: error === undefined ? undefined : { code: error },
    related: {
      hosts: hasTarget ? [host] : undefined,
      ...(isIP(clientAddress) === 0 ? {} : { ip: [clientAddress] }),
      user: user === undefined ? undefined : [user],
    },
    privet: {
      ...ownFields(fields),
      service: fields.service,
      groups: fields.groups,
      agent: fields.agent,
      injection: fields.injection,
    },
  });
};
