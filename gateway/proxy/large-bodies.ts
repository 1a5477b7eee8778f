/**
 * Large bodies are masked in a thread of their own: reading, searching and writing them takes seconds, in which nobody else
 * would be served. Tokens come from the vault of this process, a few at a time.
 */
import { setImmediate } from 'node:timers/promises';
import { PrivetError } from '../../core/errors.ts';
import type { ReserveOptions, TokenVault, VaultEntry } from '../../core/vault.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { MaskingInput, MaskingOptions, MaskingResult } from './masking.ts';

/** Bodies up to so many bytes are masked at once: that takes up to some tens of milliseconds. */
export const shortBodyMax = 262_144;
/** The same for bodies in a content coding, which may be much longer as text. */
export const shortCodedBodyMax = 16_384;
/** Large bodies that one client may have at a time, those that wait included. */
const perClientMax = 3;
/** Bytes of all bodies that are masked or wait for it; each may be held three times while its turn lasts. */
const bytesMax = 192 * 1024 * 1024;
/** As long as reading a document may take. */
const timeMs = 60_000;

/** What is set in the configuration, as a thread gets it. */
export type MaskingSettings = Omit<MaskingOptions, 'vault' | 'allowsHost'>;

/** One body; `text`: a text in place of bytes. */
export type LargeBody = {
  readonly settings: MaskingSettings;
  readonly input: Omit<MaskingInput, 'accepts' | 'client'>;
  readonly text?: string;
};

/** What the thread asks: tokens of a part of the values. */
export type ReserveQuestion = { readonly entries: readonly VaultEntry[]; readonly options: ReserveOptions };

const pool = new ThreadPool<LargeBody, MaskingResult>({
  script: new URL('./large-body-thread.ts', import.meta.url),
  timeMs: () => timeMs,
  // One needs up to twenty times its size.
  threadsMax: 1,
  sentences: {
    tooMany: 'Too many large bodies are being masked.',
    tooLong: 'Step detect: the body takes too long to mask.',
    tooLarge: 'Step detect: the body takes too much memory to mask.',
    failed: 'Step parse: the body cannot be masked.',
    hint: 'Send it in smaller parts.',
  },
});

/** Bodies that are masked or wait, by client. */
const active = new Map<string, number>();
let activeBytes = 0;

/**
 * Masks a body in a thread. @throws PrivetError as `BodyMasker.mask`; `too_many_requests` when the client has too many large
 * bodies at a time, `unavailable` when all clients have.
 */
export async function maskAside(job: LargeBody, client: string, vault: TokenVault): Promise<MaskingResult> {
  const bytes = job.input.body.length + 2 * (job.text?.length ?? 0);
  const own = active.get(client) ?? 0;
  if (own >= perClientMax) {
    throw new PrivetError('too_many_requests', `Step detect: ${perClientMax} large bodies of yours are being masked.`, {
      hint: 'Wait for their answers, then send the next one; or send smaller bodies.',
    });
  }
  if (activeBytes > 0 && activeBytes + bytes > bytesMax) {
    throw new PrivetError('unavailable', 'Step detect: there is no memory to mask another large body now.');
  }
  active.set(client, own + 1);
  activeBytes += bytes;
  try {
    const result = await pool.run(job, async (question) => {
      const { entries, options } = question as ReserveQuestion;
      const tokens = await vault.reserve(job.input.session, entries, options);
      // The next question may be there already; others come first.
      await setImmediate();
      return tokens;
    });
    return { ...result, body: result.changed ? asBuffer(result.body) : job.input.body };
  } finally {
    activeBytes -= bytes;
    const left = (active.get(client) ?? 1) - 1;
    if (left > 0) active.set(client, left);
    else active.delete(client);
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
