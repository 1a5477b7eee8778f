import type { Readable } from 'node:stream';
import { isCoachPath } from '../admit/coach.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { occasionOf } from './coach.ts';

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
