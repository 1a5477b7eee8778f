/**
 * POST /demo/detect, /demo/mask, /demo/restore and /demo/detect-all-injections: without a key, for short texts and a
 * few calls per minute and address. Off with `api.demo: false`. The rest of the sandbox is in demo-sandbox.ts.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { restoreText } from '../../../core/restore.ts';
import { sessionKey } from '../../../core/vault.ts';
import { plans } from '../../../policy/plans.ts';
import { rateLimitFields } from '../../../policy/rate-limits.ts';
import { networkOf } from '../../client-network.ts';
import type { Caller } from '../../stores/accounts.ts';
import { clientAddress } from '../client-address.ts';
import type { Endpoints } from '../endpoint.ts';
import {
  dictionaryOf,
  explain,
  guardUrls,
  lang,
  minScore,
  sessionId,
  tokenFormat,
  types,
  unusedLang,
} from '../fields.ts';
import { Masking, type MaskWish, mapOf } from '../masking.ts';
import type { ApiParts } from '../parts.ts';
import { restoreOptionsOf } from '../restoring.ts';
import { detectAnswer } from './detect.ts';
import { allAnswer, checkAll, injectionBody, optionsOf } from './injection.ts';
import { maskAnswer, restoreAnswer } from './mask.ts';

/** The limits of a visitor, unless `api.rate_limits.demo` is set. */
export const demoLimits = { textLengthMax: 2_000, callsPerMinute: 30, dictionaryEntriesMax: 20 } as const;
/** How long a session of the sandbox lives. */
const sessionTtlMs = 3_600_000;

export const demoText = z.string().max(demoLimits.textLengthMax);
/** Visitors can try dictionaries, which otherwise need a plan, with a few entries. */
export const demoDictionary = dictionaryOf(demoLimits.dictionaryEntriesMax);
const [text, dictionary] = [demoText, demoDictionary];

/** All visitors share one account; only the random session ids separate them. */
export const visitor: Caller = { keyId: 'demo', name: 'demo', tenant: 'demo', role: 'user', plan: plans.free };

export type AdmitVisitor = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Checks the limits of the demo. @throws PrivetError `not_found` while it is off, `too_many_requests`. */
export function visitorGate(parts: ApiParts): AdmitVisitor {
  return async (request, reply) => {
    const { isOn, callsPerMinute: limit = demoLimits.callsPerMinute } = parts.demo();
    if (!isOn) throw new PrivetError('not_found', 'The demo is switched off.', { hint: 'Use a key.' });
    const network = networkOf(clientAddress(request));
    const state = await parts.stores.meter.takeRate(`demo:${network}`, { limit, windowMs: 60_000 });
    reply.headers(rateLimitFields(state));
    if (state.allowed) return;
    throw new PrivetError('too_many_requests', 'Too many calls from this address.', {
      details: { limit, windowMs: state.windowMs, retryMs: Math.ceil(state.retryMs) },
    });
  };
}

/** Masks texts of a visitor in a session of the sandbox; `apply` the tokens. */
export async function maskedForVisitor(
  { detectors, stores }: ApiParts,
  texts: readonly string[],
  wish: MaskWish,
  gone: AbortSignal | undefined,
) {
  const masking = new Masking(detectors, { caller: visitor, gone }, wish);
  for (const text of texts) await masking.add(text);
  const { reserve } = masking;
  const options = { ...reserve.options, ttlMs: sessionTtlMs };
  const { tokens } = await stores.calls.run({ reserve: { ...reserve, options } });
  return { masking, tokens };
}

/** Anybody may call these while `demo` is on. */
export function demoRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { detectors, metrics, stores } = parts;
  const shared = { method: 'POST', group: 'demo', access: 'open', refusals: [404] } as const;

  const admit = visitorGate(parts);

  endpoints.add({
    ...shared,
    path: '/demo/detect',
    summary: 'Like /detect, without a key.',
    body: z.strictObject({ text, lang, types, minScore, dictionary, explain }),
    answer: detectAnswer,
    async handle({ body: { text, ...wish }, request, reply, gone }) {
      await admit(request, reply);
      const detections = await detectors.detect(wish, text, { caller: visitor, gone });
      return { detections, count: detections.length, creditsUsed: 0 };
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/mask',
    summary: 'Like /mask, without a key. Sessions last an hour.',
    body: z.strictObject({
      text,
      lang,
      types,
      minScore,
      dictionary,
      explain,
      tokenFormat,
      sessionId: sessionId.optional(),
    }),
    answer: maskAnswer.omit({ numbersChanged: true }),
    async handle({ body: { text, ...wish }, request, reply, gone }) {
      await admit(request, reply);
      const { masking, tokens } = await maskedForVisitor(parts, [text], wish, gone);
      const { texts, tokenMap } = await masking.apply(tokens);
      return { ...texts[0], sessionId: masking.sessionId, tokenMap, creditsUsed: 0 };
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/restore',
    summary: 'Like /restore, without a key.',
    body: z.strictObject({ text, lang: unusedLang, sessionId, guardUrls }),
    answer: restoreAnswer,
    async handle({ body, request, reply }) {
      await admit(request, reply);
      const { map } = await stores.calls.run({ read: sessionKey(visitor.tenant, body.sessionId) });
      return { ...restoreText(body.text, mapOf(map), restoreOptionsOf(body)), creditsUsed: 0 };
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/detect-all-injections',
    summary: 'Like /detect-all-injections, without a key.',
    body: injectionBody.extend({ text }),
    answer: allAnswer,
    async handle({ body: { text, ...options }, request, reply }) {
      await admit(request, reply);
      return { ...(await checkAll(metrics, text, optionsOf(options))), creditsUsed: 0 };
    },
  });
}
