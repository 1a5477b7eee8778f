/**
 * Masks large bodies in a worker thread: parsing, searching and writing takes seconds and would block all other
 * clients. Tokens come from this process's vault, a few at a time.
 */

import { setImmediate } from 'node:timers/promises';
import { PrivetError } from '../../../core/errors.ts';
import type { ReserveOptions, TokenVault, VaultEntry } from '../../../core/vault.ts';
import { ClientLimit } from '../../threads/client-limit.ts';
import { type JobClient, ThreadPool } from '../../threads/thread-pool.ts';
import type { MaskingInput, MaskingOptions, MaskingResult } from './masking-types.ts';

/** Bodies up to this size are masked synchronously, which takes some tens of milliseconds. */
export const shortBodyMax = 262_144;
/** The same for compressed bodies, which may be much longer as text. */
export const shortCodedBodyMax = 16_384;
/** Bytes above which a body is heavy: it needs up to twenty times its size. */
const lightBytesMax = 4 * 1024 * 1024;
/** The same for compressed bodies; JSON compresses to a tenth. */
const lightCodedBytesMax = 400 * 1024;
/** Maximum number of large bodies per client, including waiting ones. */
const perClientMax = 3;
/** Total bytes of bodies being masked or waiting; each may exist three times during its turn. */
const bytesMax = 96 * 1024 * 1024;
/** The same as for reading a document. */
const timeMs = 60_000;

/** The configuration as passed to a thread. */
export type MaskingSettings = Omit<MaskingOptions, 'vault' | 'allowsHost' | 'hashKey'> & {
  readonly hashKey?: Uint8Array;
};

/** A body, or its `text` instead of bytes. */
export type LargeBody = {
  readonly settings: MaskingSettings;
  readonly input: Omit<MaskingInput, 'accepts' | 'client' | 'gone'>;
  readonly text?: string;
};

/** A thread's questions to the vault: tokens for some values, or the tokens of a session. */
export type VaultQuestion =
  | { readonly entries: readonly VaultEntry[]; readonly options: ReserveOptions }
  | { readonly issuedIn: string };

const pool = new ThreadPool<LargeBody, MaskingResult>({
  script: new URL('./large-body-thread.ts', import.meta.url),
  timeMs: () => timeMs,
  isHeavy: (job) => bytesOf(job) > (job.input.contentEncoding === undefined ? lightBytesMax : lightCodedBytesMax),
  sentences: {
    tooMany: 'Too many large bodies are being masked.',
    tooLong: 'Step detect: the body takes too long to mask.',
    tooLarge: 'Step detect: the body takes too much memory to mask.',
    failed: 'Step parse: the body cannot be masked.',
    hint: 'Send it in smaller parts.',
  },
});

const bytesOf = ({ input, text = '' }: LargeBody) => input.body.length + 2 * text.length;

const limit = new ClientLimit({
  max: perClientMax,
  message: `Step detect: ${perClientMax} of your large bodies are already being masked.`,
});
let activeBytes = 0;

/**
 * Masks a body in a thread. @throws PrivetError like `BodyMasker.mask`; `too_many_requests` if the client has too many
 * large bodies, `unavailable` if all clients together have
 */
export function maskAside(
  job: LargeBody,
  { client, gone }: JobClient & { readonly client: string },
  vault: TokenVault,
): Promise<MaskingResult> {
  return limit.run(client, async () => {
    const bytes = bytesOf(job);
    if (activeBytes > 0 && activeBytes + bytes > bytesMax) {
      throw new PrivetError('unavailable', 'Step detect: there is not enough memory to mask another large body.');
    }
    activeBytes += bytes;
    try {
      const answer = async (question: unknown) => {
        const answered = await answerFrom(vault, job.input.session, question as VaultQuestion);
        // The next question may already be waiting; let other tasks run first.
        await setImmediate();
        return answered;
      };
      const result = await pool.run(job, { answer, client, gone });
      return { ...result, body: result.changed ? asBuffer(result.body) : job.input.body };
    } finally {
      activeBytes -= bytes;
    }
  });
}

async function answerFrom(vault: TokenVault, session: string, question: VaultQuestion): Promise<unknown> {
  if ('entries' in question) return vault.reserve(session, question.entries, question.options);
  const map = await vault.tokens(question.issuedIn);
  return map && [...map.entries()];
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
