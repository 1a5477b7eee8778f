/**
 * Large bodies are masked in a thread of their own: reading, searching and writing them takes seconds, in which nobody else
 * would be served. Tokens come from the vault of this process, a few at a time.
 */
import { setImmediate } from 'node:timers/promises';
import { PrivetError } from '../../core/errors.ts';
import type { ReserveOptions, TokenVault, VaultEntry } from '../../core/vault.ts';
import { ClientLimit } from '../threads/client-limit.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { MaskingInput, MaskingOptions, MaskingResult } from './masking.ts';

/** Bodies up to so many bytes are masked at once: that takes up to some tens of milliseconds. */
export const shortBodyMax = 262_144;
/** The same for bodies in a content coding, which may be much longer as text. */
export const shortCodedBodyMax = 16_384;
/** Bodies from so many bytes on are masked one at a time. */
const hugeBodyMin = 4 * 1024 * 1024;
/** Large bodies that one client may have at a time, those that wait included. */
const perClientMax = 3;
/** Bytes of all bodies that are masked or wait for it; each may be held three times while its turn lasts. */
const bytesMax = 192 * 1024 * 1024;
/** As long as reading a document may take. */
const timeMs = 60_000;

/** What is set in the configuration, as a thread gets it. */
export type MaskingSettings = Omit<MaskingOptions, 'vault' | 'allowsHost' | 'hashKey'> & {
  readonly hashKey?: Uint8Array;
};

/** One body; `text`: a text in place of bytes. */
export type LargeBody = {
  readonly settings: MaskingSettings;
  readonly input: Omit<MaskingInput, 'accepts' | 'client'>;
  readonly text?: string;
};

/** What the thread asks the vault: tokens for a part of the values, or what a session has issued. */
export type VaultQuestion =
  | { readonly entries: readonly VaultEntry[]; readonly options: ReserveOptions }
  | { readonly issuedIn: string };

const options = {
  script: new URL('./large-body-thread.ts', import.meta.url),
  timeMs: () => timeMs,
  sentences: {
    tooMany: 'Too many large bodies are being masked.',
    tooLong: 'Step detect: the body takes too long to mask.',
    tooLarge: 'Step detect: the body takes too much memory to mask.',
    failed: 'Step parse: the body cannot be masked.',
    hint: 'Send it in smaller parts.',
  },
};
/** Of the largest one at a time: it needs up to twenty times its size. The others do not wait for it. */
const hugePool = new ThreadPool<LargeBody, MaskingResult>({ ...options, threadsMax: 1 });
const pool = new ThreadPool<LargeBody, MaskingResult>(options);

const limit = new ClientLimit({
  max: perClientMax,
  message: `Step detect: ${perClientMax} large bodies of yours are being masked.`,
});
let activeBytes = 0;

/**
 * Masks a body in a thread. @throws PrivetError as `BodyMasker.mask`; `too_many_requests` when the client has too many large
 * bodies at a time, `unavailable` when all clients have.
 */
export function maskAside(job: LargeBody, client: string, vault: TokenVault): Promise<MaskingResult> {
  return limit.run(client, async () => {
    const bytes = job.input.body.length + 2 * (job.text?.length ?? 0);
    if (activeBytes > 0 && activeBytes + bytes > bytesMax) {
      throw new PrivetError('unavailable', 'Step detect: there is no memory to mask another large body now.');
    }
    activeBytes += bytes;
    try {
      const result = await (bytes > hugeBodyMin ? hugePool : pool).run(job, async (question) => {
        const answer = await answerFrom(vault, job.input.session, question as VaultQuestion);
        // The next question may be there already; others come first.
        await setImmediate();
        return answer;
      });
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
