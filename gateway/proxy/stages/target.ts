import { PrivetError } from '../../../core/errors.ts';
import type { Exchange } from '../exchange.ts';

/** Finds the target, and refuses methods and targets that are not forwarded. */
export function target(exchange: Exchange): Exchange {
  const { request, record } = exchange;
  const found = exchange.targetOf(exchange.framing);
  exchange.target = found;
  exchange.path = found.path;
  record.host = found.host;
  record.port = found.port;
  if (request.method === 'TRACE' || request.method === 'CONNECT') {
    throw new PrivetError('method_not_allowed', `${request.method} is not served here.`);
  }
  if (found.path === '*' && (request.method !== 'OPTIONS' || 'stream' in request)) {
    throw new PrivetError('bad_request', 'The target * is served for OPTIONS over HTTP/1.1 only.');
  }
  return exchange;
}
