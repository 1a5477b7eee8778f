import type { Readable } from 'node:stream';
import { isCoachPath, type Occasion } from '../admit/coach.ts';
import type { Answer, Exchange } from '../exchange.ts';

/** Serves the page on which users confirm the use of a service. */
export function confirm(exchange: Exchange): Exchange | Promise<Answer> {
  return isCoachPath(exchange.target.path) ? servePage(exchange) : exchange;
}

async function servePage(exchange: Exchange): Promise<Answer> {
  const { parts, record, request } = exchange;
  exchange.sayContinue();
  const confirmed = await parts.coach.serve(occasionOf(exchange), request as Readable);
  record.decision = confirmed.decision;
  if (confirmed.justification !== undefined) {
    record.kind = 'acknowledgement';
    record.justification = confirmed.justification;
  }
  return confirmed.answer;
}

/** Asks users to confirm the use of a service, if the decision requires it. */
export function coach(exchange: Exchange): Exchange | Promise<Exchange | Answer> {
  return exchange.decision.coach === undefined ? exchange : ask(exchange);
}

async function ask(exchange: Exchange): Promise<Exchange | Answer> {
  const { parts, record, size } = exchange;
  const verdict = await parts.coach.ask({ ...occasionOf(exchange), ...(size === undefined ? {} : { size }) });
  if (verdict !== undefined && 'answer' in verdict) {
    record.error = 'confirmation_required';
    return verdict.answer;
  }
  exchange.confirmAt = verdict?.confirmAt;
  return exchange;
}

/** The coach's view of a request. */
function occasionOf({ decision, context, target, request, rawHeaders, policy, asked }: Exchange) {
  const decide = (other: Occasion) => policy.decide({ ...asked, ...other });
  return { decision, client: context.client, target, method: request.method ?? 'GET', rawHeaders, decide };
}
