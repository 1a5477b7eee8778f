/** Decides about a request by its head, and again once a body of unknown size is measured. */
import { PrivetError } from '../../../core/errors.ts';
import type { PolicyDecision } from '../../../policy/decision.ts';
import { agentOf } from '../../agents/agent-name.ts';
import { isCoachPath } from '../admit/coach.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestRecord } from '../request/record.ts';
import { checkPath } from '../request/target.ts';
import { announcedSize, measureBody } from '../request/upload-size.ts';

/** Decides about the request, with the body size if the head announces it. */
export function policy(exchange: Exchange): Exchange {
  const { parts, request, rawHeaders, framing, record } = exchange;
  const { policy, masker } = parts.snapshot();
  const { host, port, path } = exchange.target;
  const method = request.method ?? 'GET';
  const agent = agentOf(rawHeaders);
  const { address: from, user, groups } = exchange.context.client;
  const asked = {
    from,
    user,
    groups: user === undefined ? undefined : groups,
    host,
    port,
    path,
    method,
    agent,
    now: new Date(),
  };
  checkPath(policy, asked);
  const announced = announcedSize(rawHeaders, { has: exchange.hasBody, length: framing.length });
  // Bidirectional messages are not an upload; measuring one first would deadlock both peers.
  const isOpen = announced.exact === undefined && exchange.kind !== 'framed';
  const size = isOpen ? undefined : announced.atLeast;
  const decision = policy.decide(size === undefined ? asked : { ...asked, size });
  exchange.policy = policy;
  exchange.masker = masker;
  exchange.asked = asked;
  exchange.announced = announced;
  exchange.size = size;
  exchange.decision = decision;
  if (isCoachPath(path)) record.decision = decision;
  else enforce(record, decision);
  return exchange;
}

/** Records a decision. @throws PrivetError when it blocks the request */
function enforce(record: RequestRecord, decision: PolicyDecision): void {
  record.decision = decision;
  if (decision.action === 'block') throw new PrivetError('blocked_by_policy', decision.reason);
}

/** Measures a body of unknown size if a rule depends on it, and decides again. */
export function size(exchange: Exchange): Exchange | Promise<Exchange> {
  const { needsSize } = exchange.decision;
  return needsSize === undefined ? exchange : measure(exchange, needsSize);
}

async function measure(exchange: Exchange, needsSize: number): Promise<Exchange> {
  const { parts, policy, masker, asked, announced, record } = exchange;
  exchange.sayContinue();
  // At most the inspection limit is buffered; a longer body counts as over every limit.
  const limit = Math.min(needsSize, masker.options.bodyBytesMax);
  const over = needsSize + 1;
  const earlier = exchange.decision;
  const sized = (size: number) => policy.decide({ ...asked, size, earlier });
  const onOver = () => {
    const later = sized(over);
    if (later.action === 'block') enforce(record, later);
  };
  const measuring = { limit, bodies: parts.bodies, onOver };
  let measured = await measureBody(exchange.source, measuring);
  if (measured.isPaused && !passesOn(sized(measured.size)))
    measured = await measureBody(measured.source, { ...measuring, isPatient: true });
  exchange.source = measured.source;
  exchange.size = measured.size > limit ? over : Math.max(measured.size, announced.atLeast);
  exchange.decision = sized(exchange.size);
  enforce(record, exchange.decision);
  return exchange;
}

/** True if the body is forwarded while it arrives. */
function passesOn({ action, inspect, coach }: PolicyDecision): boolean {
  return action !== 'block' && inspect !== 'mask' && coach === undefined;
}
