/** The worker thread that masks large bodies. */
import { LRUCache } from 'lru-cache';
import { builtinTypes } from '../../../core/detect/detector.ts';
import { PrivetError } from '../../../core/errors.ts';
import {
  type ReserveOptions,
  type TokenMap,
  tokensPerSessionMax,
  tooManyValues,
  type VaultEntry,
} from '../../../core/vault.ts';
import { type Ask, answerJobs } from '../../threads/jobs.ts';
import type { LargeBody, MaskingSettings, VaultQuestion } from './large-bodies.ts';
import { BodyMasker, type MaskingResult } from './masking.ts';

/** Number of values requested at once, which block the vault's process. */
const entriesMax = 1_000;
/** A store skips each of these for every batch. */
const takenMax = 20_000;

let ask: Ask;
const maskers = new LRUCache<string, BodyMasker>({ max: 4 });

answerJobs('Step parse: the body cannot be masked.', async (job: LargeBody, asking): Promise<MaskingResult> => {
  ask = asking;
  const masker = maskerOf(job.settings);
  const input = {
    ...job.input,
    body: Buffer.from(job.input.body.buffer, job.input.body.byteOffset, job.input.body.length),
  };
  const result = await (job.text === undefined ? masker.mask(input) : masker.maskText(input, job.text));
  // The caller already has an unchanged body.
  return result.changed ? result : { ...result, body: Buffer.alloc(0) };
});

function maskerOf(settings: MaskingSettings): BodyMasker {
  const key = JSON.stringify(settings);
  let masker = maskers.get(key);
  if (masker === undefined) {
    masker = new BodyMasker({
      ...settings,
      builtinTypes,
      vault: { reserve, tokens, drop: unheld },
      isAside: true,
    });
    maskers.set(key, masker);
  }
  return masker;
}

/** Requests tokens from the process's vault, once per value. */
async function reserve(_session: string, entries: readonly VaultEntry[], options: ReserveOptions = {}) {
  const known = new Map<string, number>();
  const unique: VaultEntry[] = [];
  const order = entries.map((entry) => {
    const key = `${entry.type}\0${entry.value}`;
    const at = known.get(key);
    if (at === undefined) {
      known.set(key, unique.length);
      return unique.push(entry) - 1;
    }
    if (entry.bracketed) unique[at] = { ...(unique[at] as VaultEntry), bracketed: true };
    return at;
  });
  if (unique.length > tokensPerSessionMax) throw tooManyValues(tokensPerSessionMax);
  if ((options.taken?.size ?? 0) > takenMax) {
    throw new PrivetError('body_too_large', `The body contains more than ${takenMax} tokens.`, {
      hint: 'Send it in parts.',
    });
  }
  const tokens: string[] = [];
  for (let from = 0; from < unique.length; from += entriesMax) {
    const question: VaultQuestion = { entries: unique.slice(from, from + entriesMax), options };
    tokens.push(...((await ask(question)) as string[]));
  }
  return order.map((at) => tokens[at] as string);
}

/** The session's tokens from the process's vault, with which signed reasoning is compared. */
async function tokens(session: string): Promise<TokenMap | undefined> {
  const issued = await ask({ issuedIn: session } satisfies VaultQuestion);
  return issued === undefined ? undefined : new Map(issued as [token: string, value: string][]);
}

function unheld(): never {
  throw new Error('a thread keeps no sessions');
}
