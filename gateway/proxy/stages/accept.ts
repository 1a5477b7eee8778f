import type { Exchange } from '../exchange.ts';
import { checkInspectable } from '../request/request-body.ts';

/** Accepts the body: refuses what its head shows to be unreadable, and tells a waiting client to send it. */
export function accept(exchange: Exchange): Exchange {
  const { parts, request, source, target, decision, rawHeaders } = exchange;
  if (decision.inspect === 'mask') checkInspectable(exchange);
  // A body that is not read here streams through: the origin decides whether it wants it (RFC 9110 §10.1.1).
  exchange.expectsOrigin = exchange.expectsContinue && source === request && decision.inspect === 'tunnel';
  if (!exchange.expectsOrigin) exchange.sayContinue();
  if (decision.service === undefined) {
    const { host, port, path } = target;
    exchange.probe = parts.probe?.({ host, port, path, method: request.method ?? '', rawHeaders }, decision);
  }
  return exchange;
}
