/**
 * The rest of the demo, under the same limits: a chat with the stand-in model, a small document, and the policy
 * decision for an address.
 */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { sessionKey } from '../../../core/vault.ts';
import { convertDocument } from '../../convert/index.ts';
import { StandInProvider } from '../../providers/stand-in.ts';
import { ask, askStream, checkMessages, refuseInjection, requestOf } from '../chat.ts';
import { type Asker, jobClient } from '../detectors.ts';
import type { Endpoints } from '../endpoint.ts';
import { lang, tokenFormat, tokenMap, types } from '../fields.ts';
import { Masking, type MaskWish } from '../masking.ts';
import type { ApiParts } from '../parts.ts';
import { abortOnClose, sendEvents } from '../streams.ts';
import { parse } from '../validate.ts';
import { ending, injection, streamOf } from './chat.ts';
import { demoDictionary, demoText, sessionTtlMs, visitor, visitorGate } from './demo.ts';
import { checkAnswer, checkBody, checkVisit } from './shadow-ai.ts';
import { answerOf, multipartReader, readUpload, uploadAnswer } from './upload.ts';

/** Limits of an upload: size of the file in bytes, and of its text in characters. */
const demoFileLimits = { bytesMax: 256 * 1024, textLengthMax: 20_000 } as const;

const chatBody = z.strictObject({
  message: demoText.min(1),
  lang,
  types,
  dictionary: demoDictionary,
  tokenFormat,
  injection: z.enum(['block', 'warn', 'off']).optional(),
  stream: z.boolean().optional().describe('Answer with server-sent events.'),
});
const chatAnswer = z.object({
  provider: z.literal('stand-in'),
  model: z.string(),
  text: z.string().describe('The answer, restored.'),
  masked: z.string().describe('The answer as the model wrote it.'),
  unresolved: z.array(z.string()),
  sessionId: z.string(),
  tokenMap,
  sent: z.array(z.object({ role: z.string(), content: z.string() })).describe('What the model received.'),
  injection,
});
const uploadFields = z.strictObject({ lang, types, dictionary: demoDictionary, tokenFormat });

/** Adds POST /demo/chat, /demo/upload and /demo/shadow-ai/check, which anybody may call while `demo` is on. */
export function demoSandboxRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { detectors, stores } = parts;
  const admit = visitorGate(parts);
  const provider = new StandInProvider();
  const shared = { method: 'POST', group: 'demo', access: 'open', refusals: [404] } as const;

  const masked = async (texts: readonly string[], wish: MaskWish, asker: Asker) => {
    const masking = new Masking(detectors, asker, wish);
    for (const text of texts) await masking.add(text);
    const { reserve } = masking;
    const options = { ...reserve.options, ttlMs: sessionTtlMs };
    const { tokens } = await stores.calls.run({ reserve: { ...reserve, options } });
    return { masking, tokens };
  };

  endpoints.add({
    ...shared,
    path: '/demo/chat',
    summary: 'As /chat, with a stand-in model: no key, no network.',
    body: chatBody,
    answer: chatAnswer,
    async handle({ body: { message, injection: onInjection = 'block', stream, ...wish }, request, reply, gone }) {
      await admit(request, reply);
      const asker = { caller: visitor, gone };
      const messages = [{ role: 'user', content: message }];
      const found = onInjection === 'off' ? undefined : await checkMessages(messages, asker);
      if (found !== undefined && onInjection === 'block') refuseInjection(found);
      const { masking, tokens } = await masked([message], wish, asker);
      const { texts, tokenMap } = await masking.apply(tokens);
      const sent = [{ role: 'user', content: texts[0]?.masked ?? '' }];
      const { injectionDetected = false, categories = [], risk = 'none' } = found ?? {};
      const shown = {
        sessionId: masking.sessionId,
        tokenMap,
        sent,
        ...(found === undefined ? {} : { injection: { injectionDetected, categories, risk } }),
      };
      const asked = { provider, model: provider.defaultModel };
      const map = (await stores.vault.tokens(sessionKey(visitor.tenant, masking.sessionId))) ?? new Map();
      const wanted = { ...requestOf(sent), signal: abortOnClose(reply) };
      if (stream !== true) return { ...(await ask(asked, wanted, map)), ...shown };
      const events = ending(askStream(asked, wanted, map, { showsModel: true }), asked, request.id);
      return sendEvents(reply, streamOf({ shown, events }));
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/upload',
    summary: 'As /upload, without a key, for small documents.',
    described: z.object({
      file: z.string().meta({ format: 'binary' }),
      tokenFormat,
      types: z.string().optional().describe('Comma separated, or a JSON list.'),
      dictionary: z.string().optional().describe('A JSON list of { label, pattern }.'),
      lang,
    }),
    form: { type: 'multipart/form-data', plugin: multipartReader(demoFileLimits.bytesMax) },
    answer: uploadAnswer.omit({ creditsUsed: true }),
    async handle({ request, reply, gone }) {
      await admit(request, reply);
      const asker = { caller: visitor, gone };
      const { file, given } = await readUpload(request, demoFileLimits.bytesMax);
      const wish = parse(uploadFields, given);
      const converted = await convertDocument(file.bytes, { ...file, ...jobClient(asker) });
      const length = converted.sections.reduce((sum, { text }) => sum + text.length, 0);
      if (length > demoFileLimits.textLengthMax) {
        const message = `The document has more than ${demoFileLimits.textLengthMax} characters.`;
        throw new PrivetError('body_too_large', message, {
          hint: 'Send a shorter one, or use POST /upload with a key.',
        });
      }
      const { masking, tokens } = await masked(
        converted.sections.map(({ text }) => text),
        wish,
        asker,
      );
      return await answerOf(converted, masking, tokens);
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/shadow-ai/check',
    summary: 'As /shadow-ai/check, without a key.',
    body: checkBody,
    answer: checkAnswer,
    async handle({ body, request, reply }) {
      await admit(request, reply);
      return checkVisit(parts, body);
    },
  });
}
