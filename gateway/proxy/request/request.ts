/** The path of a request, stage by stage, over HTTP/1.1 and HTTP/2, on the proxy port and inside tunnels. */
import { PrivetError } from '../../../core/errors.ts';
import { type ClientResponse, errorAnswer, isNavigation, sendAnswer } from '../answer/answers.ts';
import { type Answer, type ConnectionContext, Exchange, type ProxyParts, type Stage } from '../exchange.ts';
import { coach, confirm } from '../stages/coach.ts';
import { fields } from '../stages/fields.ts';
import { egress, frame, target } from '../stages/head.ts';
import { mask } from '../stages/mask.ts';
import { policy, size } from '../stages/policy.ts';
import { accept, read } from '../stages/read.ts';
import { send } from '../stages/send.ts';
import type { ClientRequest } from './client-request.ts';
import { mergeCounts } from './query.ts';
import { newRecord } from './record.ts';
import type { Framing, Target } from './target.ts';

/** The stages in order. `send` also relays the response and restores it (answer/answer-relay.ts). */
const stages: readonly Stage[] = [
  frame,
  target,
  policy,
  confirm,
  egress,
  size,
  coach,
  accept,
  fields,
  read,
  mask,
  send,
];

/** Serves a request; never throws: every outcome is a response and one record. */
export async function serveRequest(
  parts: ProxyParts,
  context: ConnectionContext,
  request: ClientRequest,
  response: ClientResponse,
  targetOf: (framing: Framing) => Target,
  expectsContinue = false,
): Promise<void> {
  const { client, tunnel } = context;
  const record = newRecord('request', client, request.method ?? '', tunnel?.host ?? '', tunnel?.port ?? 0);
  record.intercepted = tunnel?.scheme === 'https';
  // Emitted only once; `once` would allocate two more functions.
  response.on('close', () => {
    if (record.status === 0) record.status = 499;
    const durationMs = performance.now() - record.startedAt;
    if (record.counting === undefined) parts.observer.finished(record, durationMs);
    else void record.counting.then(() => parts.observer.finished(record, durationMs));
  });
  const exchange = new Exchange({ parts, context, request, response, record, targetOf, expectsContinue });
  try {
    for (const stage of stages) {
      const outcome = stage(exchange);
      const next = outcome instanceof Promise ? await outcome : outcome;
      if (next === exchange) continue;
      const answer = next as Answer;
      record.status = answer.status;
      sendAnswer(request, response, answer);
      return;
    }
  } catch (error) {
    await answerError(exchange, error);
  }
}

/** Turns an error of this listener into a response, in this one place. */
async function answerError({ parts, request, response, record, context }: Exchange, error: unknown): Promise<void> {
  const known =
    error instanceof PrivetError
      ? error
      : new PrivetError('internal', 'The gateway failed to serve this request.', { cause: error });
  if (known.code === 'internal') parts.observer.fault({ requestId: record.requestId, error });
  record.error = known.code;
  // The findings that caused the rejection count too.
  const kept = (known.details as { types?: Record<string, number> } | undefined)?.types;
  record.piiTypes = mergeCounts(record.piiTypes, kept);
  if (kept) record.masked = 0;
  if (record.status === 0) record.status = known.status;
  const mayBePage = known.code !== 'blocked_by_policy' || parts.blockedAnswer() !== 'refuse';
  const { refusals } = parts;
  const { host, decision } = record;
  const isBlockPage = decision?.action === 'block' && mayBePage && isNavigation(request.rawHeaders);
  const answer = errorAnswer(known, {
    requestId: record.requestId,
    rawHeaders: request.rawHeaders,
    url: request.url,
    host,
    decision,
    mayBePage,
    brand: refusals.brand(),
    refusal: isBlockPage
      ? await refusals.factsFor({ service: decision.service, subject: context.client.subject, host })
      : undefined,
    rpcIds: record.rpcIds,
  });
  if (record.rpcIds !== undefined && known.code === 'blocked_by_policy') record.status = answer.status;
  sendAnswer(request, response, answer, known.code === 'bad_request');
}
