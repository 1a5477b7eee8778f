/** Checks the head of a request: framing and target, and whether the target may be reached. */
import { PrivetError } from '../../../core/errors.ts';
import type { ServerRequest } from '../../http1/server-request.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { headerValue } from '../request/headers.ts';
import { checkFraming } from '../request/target.ts';

/** Checks the message's framing, before anything else is read from it. */
export function frame(exchange: Exchange): Exchange {
  const { request } = exchange;
  exchange.framing = ('stream' in request ? undefined : (request as ServerRequest).framing) ?? checkFraming(request);
  return exchange;
}

/** Finds the target, and rejects methods and targets that are not forwarded. */
export function target(exchange: Exchange): Exchange {
  const { request, record } = exchange;
  const found = exchange.targetOf(exchange.framing);
  exchange.target = found;
  exchange.path = found.path;
  record.host = found.host;
  record.port = found.port;
  if (request.method === 'TRACE' || request.method === 'CONNECT') {
    throw new PrivetError('method_not_allowed', `${request.method} is not supported here.`);
  }
  if (found.path === '*' && (request.method !== 'OPTIONS' || 'stream' in request)) {
    throw new PrivetError('bad_request', 'The target * is supported only for OPTIONS over HTTP/1.1.');
  }
  return exchange;
}

/** Rejects targets that may not be reached, and answers requests that end at this proxy. */
export function egress(exchange: Exchange): Exchange | Answer {
  const { parts, target, request, rawHeaders } = exchange;
  parts.egress.checkTarget(target.host, target.hostKind, target.port);
  // RFC 9110 §7.6.2.
  const isMeant = request.method === 'OPTIONS' && headerValue(rawHeaders, 'max-forwards') === '0';
  return isMeant ? { status: 200, headers: [], body: '' } : exchange;
}
