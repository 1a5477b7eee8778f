import { PrivetError } from '../../../core/errors.ts';
import type { Exchange } from '../exchange.ts';
import { measureBody } from '../request/upload-size.ts';

/** Measures a body whose size nobody announced and a rule asks for, and decides again. */
export function size(exchange: Exchange): Exchange | Promise<Exchange> {
  const { needsSize } = exchange.decision;
  return needsSize === undefined ? exchange : measure(exchange, needsSize);
}

async function measure(exchange: Exchange, needsSize: number): Promise<Exchange> {
  const { parts, policy, masker, asked, announced, record } = exchange;
  exchange.sayContinue();
  // No more than the inspection limit is buffered; a longer body counts as over every limit.
  const limit = Math.min(needsSize, masker.options.bodyBytesMax);
  const measured = await measureBody(exchange.source, limit, parts.bodies);
  exchange.source = measured.source;
  exchange.size = measured.size > limit ? needsSize + 1 : Math.max(measured.size, announced.atLeast);
  exchange.decision = policy.decide({ ...asked, size: exchange.size, earlier: exchange.decision });
  record.decision = exchange.decision;
  if (exchange.decision.action === 'block') throw new PrivetError('blocked_by_policy', exchange.decision.reason);
  return exchange;
}
