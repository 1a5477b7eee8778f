import type { Answer, Exchange } from '../exchange.ts';
import { headerValue } from '../request/headers.ts';

/** Refuses targets that may not be reached, and answers what stops at this proxy. */
export function egress(exchange: Exchange): Exchange | Answer {
  const { parts, target, request, rawHeaders } = exchange;
  parts.egress.checkTarget(target.host, target.hostKind, target.port);
  // RFC 9110 §7.6.2.
  const isMeant = request.method === 'OPTIONS' && headerValue(rawHeaders, 'max-forwards') === '0';
  return isMeant ? { status: 200, headers: [], body: '' } : exchange;
}
