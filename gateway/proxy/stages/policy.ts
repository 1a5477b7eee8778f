import { PrivetError } from '../../../core/errors.ts';
import { agentOf } from '../../agents/agent-name.ts';
import { isCoachPath } from '../admit/coach.ts';
import type { Exchange } from '../exchange.ts';
import { whoOf } from '../request/record.ts';
import { hasBody } from '../request/request-body.ts';
import { checkPath } from '../request/target.ts';
import { announcedSize } from '../request/upload-size.ts';

/** Decides about the request, with the size of its body where the head announces it. */
export function policy(exchange: Exchange): Exchange {
  const { parts, request, rawHeaders, framing, record } = exchange;
  const { policy, masker } = parts.snapshot();
  const { host, port, path } = exchange.target;
  const method = request.method ?? 'GET';
  const agent = agentOf(rawHeaders);
  const asked = { ...whoOf(exchange.context.client), host, port, path, method, agent, now: new Date() };
  checkPath(policy, asked);
  const announced = announcedSize(rawHeaders, { has: hasBody(exchange), length: framing.length });
  // Bidirectional messages are not an upload; measuring one first would deadlock both sides.
  const isOpen = announced.exact === undefined && exchange.kind !== 'framed';
  const size = isOpen ? undefined : announced.atLeast;
  const decision = policy.decide(size === undefined ? asked : { ...asked, size });
  exchange.policy = policy;
  exchange.masker = masker;
  exchange.asked = asked;
  exchange.announced = announced;
  exchange.size = size;
  exchange.decision = decision;
  record.decision = decision;
  if (decision.action === 'block' && !isCoachPath(path)) throw new PrivetError('blocked_by_policy', decision.reason);
  return exchange;
}
