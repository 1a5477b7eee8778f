/** The thread in which long texts are searched and checked. */
import { LRUCache } from 'lru-cache';
import { Detector, type DetectorOptions } from '../../core/detect/detector.ts';
import { PrivetError } from '../../core/errors.ts';
import { allowedHosts } from '../../core/guard/url-guard.ts';
import { outsideTokens, tokensIn } from '../../core/mask.ts';
import { restoreJsonBody } from '../../core/payload/response.ts';
import { chunkSpans } from '../../core/rag/chunk.ts';
import { ragResolve } from '../../core/rag/index.ts';
import type { Detection } from '../../core/recognizer.ts';
import { restoreText } from '../../core/restore.ts';
import { findTokens } from '../../core/tokens/tokens.ts';
import { type Ask, answerJobs } from '../threads/jobs.ts';
import { copyUnits } from './copy-units.ts';
import {
  injectionChecks,
  type LongDocument,
  type LongRestoring,
  type LongText,
  namedTokensMax,
  type RestoredDocument,
  type Survey,
} from './long-texts.ts';

const detectors = new LRUCache<string, Detector>({ max: 20 });

answerJobs<LongText, unknown>('The text cannot be searched.', (job, ask) => {
  if ('check' in job) return injectionChecks[job.check](job.text, job.options);
  if ('restore' in job) return restored(job, ask);
  if ('chunk' in job) return chunkSpans(job.text, job.chunk, job.whole);
  if ('document' in job) return job.isFile ? restoredFile(job, ask) : restoredDocument(job, ask);
  const found = detected(job.options, job.text);
  return job.isSurvey ? surveyed(job.text, found) : found;
});

function detected(options: DetectorOptions, text: string): Detection[] {
  const key = JSON.stringify(options);
  let detector = detectors.get(key);
  if (detector === undefined) {
    detector = new Detector({ ...options, copyUnits });
    detectors.set(key, detector);
  }
  return detector.detect(text);
}

function surveyed(text: string, found: readonly Detection[]): Survey {
  const detections = outsideTokens(text, found);
  return { detections, taken: [...named(tokensIn(text))] };
}

async function restored({ restore, text, guardUrls, lengthMax }: LongRestoring, ask: Ask) {
  const tokens = [...named(new Set(findTokens(text).map(({ identity }) => identity)))];
  const asked = tokens.flatMap((token) => [token, `[${token}]`]);
  const values = (await ask(asked)) as readonly (string | undefined)[];
  const map = new Map<string, string>();
  for (const [i, token] of asked.entries()) {
    const value = values[i];
    if (value !== undefined) map.set(token, value);
  }
  if (restore === 'rag') return ragResolve(text, map, { lengthMax });
  return restoreText(text, map, { lengthMax, ...(guardUrls === undefined ? {} : { guardUrls }) });
}

/** Tokens requested per call; the main thread does nothing else while it looks them up. */
const askedMax = 500;

async function valuesOf(asked: ReadonlySet<string>, ask: Ask): Promise<Map<string, string>> {
  const map = new Map<string, string>();
  const tokens = [...asked];
  for (let from = 0; from < tokens.length; from += askedMax) {
    const part = tokens.slice(from, from + askedMax);
    const values = (await ask(part)) as readonly (string | undefined)[];
    for (const [i, value] of values.entries()) if (value !== undefined) map.set(part[i] as string, value);
  }
  return map;
}

async function restoredFile({ document, linkHosts }: LongDocument, ask: Ask): Promise<RestoredDocument> {
  // Only these jobs need it: a fifth of the modules of a thread.
  const { restoreCodedFile } = await import('../proxy/answer/coded-files.ts');
  const count = { restored: 0, unresolved: 0 };
  const file = { bytes: document, allowsHost: allowedHosts(linkHosts) };
  const asked = new Set<string>();
  const asking = {
    size: 1,
    get: (token: string) => void asked.add(token),
    entries: () => new Map<string, string>().entries(),
  };
  restoreCodedFile({ ...file, map: asking, count: { restored: 0, unresolved: 0 } });
  const bytes = restoreCodedFile({ ...file, map: await valuesOf(asked, ask), count });
  return count.restored === 0 ? count : { ...count, bytes };
}

async function restoredDocument({ document, linkHosts, numbers }: LongDocument, ask: Ask): Promise<RestoredDocument> {
  const source = Buffer.from(document.buffer, document.byteOffset, document.length);
  const text = source.toString('utf8');
  const map = await valuesOf(namedInJson(text), ask);
  const { body, ...counts } = restoreJsonBody(text, map, allowedHosts(linkHosts), { numbers });
  const isDamaged = text.includes('\ufffd') && !source.equals(Buffer.from(text));
  if (isDamaged && counts.restored > 0) return { ...counts, isUnreadable: true };
  return counts.restored === 0 ? counts : { ...counts, bytes: Buffer.from(body, 'utf8') };
}

/** All possible tokens in the strings of a document, at any depth of JSON in JSON, with custom brackets too. */
function namedInJson(json: string): Set<string> {
  const asked = new Set<string>();
  const look = (text: string) => {
    for (const { identity } of findTokens(text, { bare: true })) asked.add(identity).add(`[${identity}]`);
  };
  look(json);
  if (!json.includes('\\')) return asked;
  const plain = json.replaceAll(/\\+u([0-9a-f]{4})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  for (const mark of ['\\', '']) look(plain.replaceAll(/\\+/g, mark));
  return asked;
}

/** The tokens in a text, unless there are too many. */
function named(tokens: ReadonlySet<string>): ReadonlySet<string> {
  if (tokens.size <= namedTokensMax) return tokens;
  throw new PrivetError('body_too_large', `The text contains more than ${namedTokensMax} tokens.`, {
    hint: 'Send the text in smaller parts.',
  });
}
