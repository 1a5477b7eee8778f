/** The thread that reads large bodies for the tool and injection checks. */
import { boundedCache } from '../bounded-cache.ts';
import { answerJobs } from '../threads/jobs.ts';
import { readContent } from './content.ts';
import type { ContentAnswer, ContentJob } from './content-aside.ts';
import { digestTexts, type Verdict } from './injection-check.ts';

const known = boundedCache<string, Verdict>(20_000);

answerJobs('Step tools: the body cannot be checked.', ({ source, settings }: ContentJob): ContentAnswer => {
  const { body } = source;
  const content = readContent({ ...source, body: Buffer.from(body.buffer, body.byteOffset, body.length) });
  if (content?.messages !== undefined) return { content: 'messages' };
  if (content === undefined) return { content };
  const { model, texts = [], json: _text, ...rest } = content;
  const digested = digestTexts([...(model?.texts ?? []), ...texts], settings, known);
  return { content: { ...rest, digested, ...(model && { model: { ...model, texts: [] } }) } };
});
