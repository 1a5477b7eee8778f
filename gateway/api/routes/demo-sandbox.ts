/**
 * The rest of the demo, under the same limits: a chat with the stand-in model, a small document, and the policy
 * decision for an address.
 */

import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { sessionKey } from '../../../core/vault.ts';
import { StandInProvider } from '../../chat-providers/stand-in.ts';
import { convertDocument } from '../../convert/index.ts';
import { ask, askStream, checkMessages, refuseInjection, requestOf } from '../chat.ts';
import { jobClient } from '../detectors.ts';
import type { Endpoints } from '../endpoint.ts';
import { lang, tokenFormat, tokenMap, types } from '../fields.ts';
import type { ApiParts } from '../parts.ts';
import { abortOnClose, sendEvents } from '../streams.ts';
import { parse } from '../validate.ts';
import { ending, result, shown, streamOf } from './chat.ts';
import { demoDictionary, demoText, maskedForVisitor, visitor, visitorGate } from './demo.ts';
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
  model: result.model,
  text: result.text,
  masked: result.masked,
  unresolved: result.unresolved,
  sessionId: shown.sessionId,
  tokenMap,
  sent: shown.sent,
  injection: shown.injection,
});
const uploadFields = z.strictObject({ lang, types, dictionary: demoDictionary, tokenFormat });

/** Anybody may call these while `demo` is on. */
export function demoSandboxRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { stores } = parts;
  const admit = visitorGate(parts);
  const provider = new StandInProvider();
  const shared = { method: 'POST', group: 'demo', access: 'open', refusals: [404] } as const;

  endpoints.add({
    ...shared,
    path: '/demo/chat',
    summary: 'Like /chat, with a stand-in model: no key, no network.',
    body: chatBody,
    answer: chatAnswer,
    async handle({ body: { message, injection: onInjection = 'block', stream, ...wish }, request, reply, gone }) {
      await admit(request, reply);
      const asker = { caller: visitor, gone };
      const messages = [{ role: 'user', content: message }];
      const found = onInjection === 'off' ? undefined : await checkMessages(messages, asker);
      if (found !== undefined && onInjection === 'block') refuseInjection(found);
      const { masking, tokens } = await maskedForVisitor(parts, [message], wish, gone);
      const { texts, tokenMap } = await masking.apply(tokens);
      const sent = [{ role: 'user', content: texts[0]?.masked ?? '' }];
      const { injectionDetected = false, categories = [], risk = 'none' } = found ?? {};
      const injection = found && { injectionDetected, categories, risk };
      const given = { sessionId: masking.sessionId, tokenMap, sent, injection };
      const asked = { provider, model: provider.defaultModel };
      const map = (await stores.vault.tokens(sessionKey(visitor.tenant, masking.sessionId))) ?? new Map();
      const wanted = { ...requestOf(sent), signal: abortOnClose(reply) };
      if (stream !== true) return { ...(await ask(asked, wanted, map)), ...given };
      const events = ending(askStream(asked, wanted, map, { showsModel: true }), asked, request.id);
      return sendEvents(reply, streamOf({ shown: given, events }));
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/upload',
    summary: 'Like /upload, without a key, for small documents.',
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
      const texts = converted.sections.map(({ text }) => text);
      const { masking, tokens } = await maskedForVisitor(parts, texts, wish, gone);
      return await answerOf(converted, masking, tokens);
    },
  });

  endpoints.add({
    ...shared,
    path: '/demo/shadow-ai/check',
    summary: 'Like /shadow-ai/check, without a key.',
    body: checkBody,
    answer: checkAnswer,
    async handle({ body, request, reply }) {
      await admit(request, reply);
      return checkVisit(parts, body);
    },
  });
}
