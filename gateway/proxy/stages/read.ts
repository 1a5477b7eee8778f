import type { Exchange } from '../exchange.ts';
import { copiedBody, countedBody, hasBody, readForInspection, takeWhole } from '../request/request-body.ts';
import { countCopy, guardInput } from './mask.ts';

/**
 * Reads the body whole where it is inspected. In mode `audit` nothing changes, so an incomplete body streams through and
 * a copy of it is counted.
 */
export function read(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, record, input } = exchange;
  if (!hasBody(exchange)) return exchange;
  if (input === undefined || exchange.streamsBothWays) {
    exchange.body = countedBody(exchange, exchange.source);
    return exchange;
  }
  const whole = takeWhole(exchange);
  if (whole !== undefined) return received(exchange, whole);
  const guarding = guardInput(exchange);
  if (input.mode === 'mask' || parts.agents.reads(guarding) || parts.agents.enforces(guarding))
    return readForInspection(exchange, parts.bodies).then((body) => received(exchange, body));
  const copied = copiedBody(exchange, parts.bodies);
  exchange.body = copied.body;
  record.counting = copied.copy.then((copy) => countCopy(exchange, input, copy)).catch(() => {});
  return exchange;
}

function received(exchange: Exchange, body: Buffer): Exchange {
  exchange.received = body;
  exchange.body = body;
  exchange.record.bytesIn = body.length;
  exchange.probe?.requestData(body);
  return exchange;
}
