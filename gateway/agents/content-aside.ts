/** Reads large bodies in a thread: parsing them and checking their texts would keep other requests waiting. */
import type { InjectionSettings } from '../../policy/agent-settings.ts';
import { ClientLimit } from '../threads/client-limit.ts';
import { type JobClient, ThreadPool } from '../threads/thread-pool.ts';
import type { Content, ContentSource } from './content.ts';

/** A body to read, and the checks for its texts. */
export type ContentJob = { readonly source: ContentSource; readonly settings: InjectionSettings };

/** The content without its texts; `messages` for MCP messages, which are not transferred. */
export type ContentAnswer = { readonly content: Content | 'messages' | undefined };

/** Bytes above which a body is heavy. */
const lightBytesMax = 4 * 1024 * 1024;
const timeMs = 60_000;
/** Large bodies per client at a time, including waiting ones. */
const perClientMax = 3;

const pool = new ThreadPool<ContentJob, ContentAnswer>({
  script: new URL('./content-thread.ts', import.meta.url),
  timeMs: () => timeMs,
  isHeavy: ({ source }) => source.body.length > lightBytesMax,
  sentences: {
    tooMany: 'Too many large bodies are being checked.',
    tooLong: 'Step tools: the body takes too long to check.',
    tooLarge: 'Step tools: the body takes too much memory to check.',
    failed: 'Step tools: the body cannot be checked.',
    hint: 'Send it in smaller parts.',
  },
});

const limit = new ClientLimit({
  max: perClientMax,
  message: `Step tools: ${perClientMax} of your large bodies are already being checked.`,
});

/**
The content of a large body, with findings in place of its texts. @throws PrivetError `too_many_requests` when the client
 * has too many large bodies at a time, `body_too_large`, `unavailable`.
 */
export async function readAside(
  source: ContentSource,
  settings: InjectionSettings,
  { client = '', gone }: JobClient,
): Promise<ContentAnswer['content']> {
  const job = { source, settings };
  return (await limit.run(client, () => pool.run(job, { client, gone }))).content;
}
