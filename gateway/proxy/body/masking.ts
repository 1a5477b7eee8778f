/**
 * Masks request bodies: decodes, finds the text, detects, reserves tokens, writes it back. Every function either
 * returns a body that is safe to send, or throws and names the failed step.
 */

import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { type Replacements, replacementsOf } from '../../../core/actions.ts';
import { PrivetError } from '../../../core/errors.ts';
import { applyReserved, reservation } from '../../../core/mask.ts';
import { utf8Text } from '../../../core/parsing.ts';
import { findCutValues } from '../../../core/payload/adjoining.ts';
import { isBytewise } from '../../../core/payload/body-text.ts';
import { withHint } from '../../../core/payload/hint.ts';
import { detectLabelled, isLabel } from '../../../core/payload/labelled.ts';
import { bodyKind, parseRequestBody, type RequestBody, type TextBodyKind } from '../../../core/payload/request.ts';
import type { Detection } from '../../../core/recognizer.ts';
import { settingOf } from '../../../core/types.ts';
import { type ReserveOptions, tokensPerSessionMax, type VaultEntry } from '../../../core/vault.ts';
import { isNamed, type TypeSetting } from '../../../policy/rule.ts';
import { atOnceMax } from '../../long-texts/long-texts.ts';
import { refuseHidden } from './charsets.ts';
import { decodeBody } from './content-coding.ts';
import {
  type BodyDocument,
  type OpenedParts,
  openDocuments,
  refuseFixed,
  rewriteDocuments,
  tokensAt,
} from './documents.ts';
import { Found, unitsIn } from './found.ts';
import { RememberingDetector } from './known-texts.ts';
import { maskAside, shortBodyMax, shortCodedBodyMax } from './large-bodies.ts';
import type { MaskingInput, MaskingOptions, MaskingResult } from './masking-types.ts';
import { NumberTokens } from './number-tokens.ts';
import { refuseSealed, signedTexts } from './seals.ts';
import { SeenReasoning } from './seen-reasoning.ts';

export type { MaskingInput, MaskingOptions, MaskingResult } from './masking-types.ts';

/** A decoded body, and what to detect in it. */
type Opened = DetectorSet & {
  readonly input: Omit<MaskingInput, 'contentEncoding'>;
  readonly kind: TextBodyKind;
  readonly parsed: RequestBody;
};

type DetectorSet = {
  readonly detector: RememberingDetector;
  readonly blocked: ReadonlySet<string>;
  /** Replacements of values without a token. */
  readonly replacements: Replacements | undefined;
};

/** Values that get their tokens at once, while other requests wait. */
const entriesAtOnce = 1_000;
/** Cost of searching a text, however short, in code units. */
const unitsPerText = 32;
/** Units that are searched before other requests run: some ten milliseconds for texts full of names. */
const sliceUnits = 16_384;

/** The label of a document text: from its sheet, else the preceding text, which may be the row's label. */
function cellBefore(texts: readonly string[], i: number, documents: readonly BodyDocument[]): string | undefined {
  const of = documents.findLast(({ firstText }) => firstText <= i);
  const known = of?.document.labels?.[i - of.firstText];
  if (known === undefined && of?.firstText === i) return undefined;
  const before = (known ?? texts[i - 1] ?? '').trim().replace(/[:：]$/, '');
  return isLabel(before, texts[i] as string, true) ? before : undefined;
}

/** Masks request bodies with the types and dictionary of one configuration. */
export class BodyMasker {
  readonly options: MaskingOptions;
  /** Texts signed by services in their responses, recorded for requests masked here. */
  readonly reasoning: SeenReasoning;
  /** Tokens of numbers in the requests of a session. */
  readonly numbers: NumberTokens;
  private readonly base: DetectorSet;
  private readonly hints: ReadonlySet<string>;
  /** Detectors of rules with their own `types`, by rule object. */
  private readonly ofRule = new WeakMap<object, DetectorSet>();

  constructor(options: MaskingOptions) {
    this.options = options;
    this.reasoning = new SeenReasoning(options.vault);
    this.numbers = new NumberTokens(options.vault, this.laterTtlMs());
    this.base = this.detectorSet(options.types);
    this.hints = new Set(options.hints.map((name) => name.toLowerCase()));
  }

  /** Masks or audits a complete body, synchronously if possible. Rejects with PrivetError if it is not safe to send. */
  mask(input: MaskingInput): MaskingResult | Promise<MaskingResult> {
    const { mode, contentType, contentEncoding, accepts } = input;
    const failed = (error: unknown): MaskingResult | Promise<never> =>
      // Audit never changes or rejects: a body that cannot be parsed passes and is counted as unread.
      mode === 'audit' ? unchanged(input.body) : Promise.reject(atStep('parse', error));
    try {
      const declared = input.kind ?? bodyKind(contentType);
      // Text in another encoding is read like a file.
      const isOther = declared === 'text' && contentEncoding === undefined && !isUtf8(input.body);
      const kind = isOther ? 'content' : declared;
      if (kind === 'framed') {
        this.refuseFramed(mode);
        if (mode === 'mask') return unchanged(input.body);
      }
      // A form may have very many short texts.
      const size = kind === 'form' ? 4 * input.body.length : input.body.length;
      if (this.isLarge(input, size)) return this.maskAside(input).catch(failed);
      if (kind === 'framed') return this.countFramed(input);
      if (contentEncoding !== undefined) {
        const decoding = decodeBody(input.body, contentEncoding, this.options.bodyBytesMax);
        return decoding
          .then((body) => {
            if (this.isLarge({ accepts }, body.length)) return this.maskAside(input);
            return this.maskParsed(input, kind, decodeText(body, kind));
          })
          .catch(failed);
      }
      const json = kind === 'json' ? input.json : undefined;
      const masked = this.maskParsed(input, kind, json ?? decodeText(input.body, kind), json !== undefined);
      return masked instanceof Promise ? masked.catch(failed) : masked;
    } catch (error) {
      return failed(error);
    }
  }

  /** Counts findings in the strings of messages: JSON, and protobuf, whose strings are UTF-8. */
  private countFramed({ contentEncoding: _coding, ...input }: MaskingInput): MaskingResult | Promise<MaskingResult> {
    const strings = input.body.toString('utf8').match(/[^\p{Cc}\ufffd]{5,}/gu) ?? [];
    return this.maskParsed(input, 'text', strings.join('\n'));
  }

  /** Throws `uninspectable` if messages of a streaming protocol may not be sent unread. */
  refuseFramed(mode: MaskingInput['mode']): void {
    if (mode === 'audit' || this.options.uninspectable.binary === 'allow') return;
    throw new PrivetError(
      'uninspectable',
      'Step inspect: messages of gRPC, Connect and event streams are not sent to this service.',
    );
  }

  /** Masks one text (a WebSocket message, a query string); `kind` as in core/payload. */
  async maskText(input: Omit<MaskingInput, 'contentEncoding'>, text: string): Promise<MaskingResult> {
    if (this.isLarge(input, text.length)) return this.maskAside({ ...input, contentEncoding: undefined }, text);
    const declared = bodyKind(input.contentType);
    const kind = declared === 'content' || declared === 'framed' ? (/^\s*[{[]/.test(text) ? 'json' : 'text') : declared;
    return this.maskParsed(input, kind, text);
  }

  /** True if a body is masked in a worker thread; never with an `accepts` filter. */
  private isLarge({ accepts, contentEncoding }: Partial<MaskingInput>, length: number): boolean {
    if (this.options.isAside || accepts !== undefined) return false;
    return length > (contentEncoding === undefined ? shortBodyMax : shortCodedBodyMax);
  }

  private maskAside(
    { accepts: _none, json: _text, client, gone, ...input }: MaskingInput,
    text?: string,
  ): Promise<MaskingResult> {
    const { vault, allowsHost: _links, hashKey, ...settings } = this.options;
    const key = typeof hashKey === 'function' && this.usesHash(input.types) ? { hashKey: hashKey() } : {};
    const job = { settings: { ...settings, ...key }, input, ...(text === undefined ? {} : { text }) };
    return maskAside(job, { client: client ?? input.session, gone }, vault);
  }

  /** True if a key is needed: a store's key is known only when it is open. */
  private usesHash(types: MaskingInput['types']): boolean {
    return Object.values({ ...this.options.types, ...types }).includes('hash');
  }

  private maskParsed(
    input: Omit<MaskingInput, 'contentEncoding'>,
    kind: TextBodyKind,
    text: string,
    isValidJson = false,
  ): MaskingResult | Promise<MaskingResult> {
    const { contentType } = input;
    if (input.mode === 'mask' && !isBytewise(kind)) refuseHidden(kind, text, contentType);
    const parsed = parseRequestBody(kind, text, contentType === undefined ? {} : { contentType, isValidJson });
    const of = { input, kind, parsed, ...this.setFor(input.types) };
    // Nearly all bodies: no step takes long enough to yield to another request.
    const isPlain = parsed.uninspectable.length + parsed.sealed.length === 0 && parsed.seals === undefined;
    if (isPlain && costOf(parsed.leaves) <= Math.min(atOnceMax, of.detector.atOnceMax)) {
      const found = new Found(parsed.leaves, input.accepts);
      const detect = (text: string) => of.detector.detect(text) as Detection[];
      for (const [i, leaf] of parsed.leaves.entries())
        found.add(i, detectLabelled(detect, parsed.labels?.get(i), leaf));
      addCutValues(of, found);
      return this.rewrite(of, found);
    }
    return this.maskLarge(of);
  }

  /** Like {@link maskParsed} for longer work: large texts, files, signed parts. */
  private async maskLarge(of: Opened): Promise<MaskingResult> {
    const { parsed, detector } = of;
    const isMasking = of.input.mode === 'mask';
    let opened: OpenedParts = { documents: [], notes: undefined };
    if (parsed.uninspectable.length > 0 && !(of.input.passesBinary && isBinary(of))) {
      opened = await openDocuments(parsed, this.options.uninspectable, this.options.bodyBytesMax, of.input).catch(
        (error) => {
          if (isMasking) throw error;
          return opened;
        },
      );
    }
    const { documents } = opened;
    const texts = documents.flatMap(({ document }) => document.texts);
    const found = new Found([...parsed.leaves, ...texts], of.input.accepts);
    const again = documents.flatMap(({ document }) => document.texts.map((_, i) => document.again?.[i] ?? false));
    const { vault, uninspectable } = this.options;
    const isAllowed = uninspectable.signed === 'allow';
    const seen = { session: of.input.session, vault, reasoning: this.reasoning };
    const signed = isMasking ? await signedTexts(parsed, detector, seen, isAllowed) : undefined;
    let unitsAtOnce = 0;
    /** The index of the reading with a finding. */
    let known: number | undefined;
    for (const [i, leaf] of found.leaves.entries()) {
      if (signed?.has(i)) continue;
      if (!again[i - parsed.leaves.length]) known = undefined;
      // A number displayed differently is still one value.
      else if (known !== undefined && leaf !== found.leaves[known]) continue;
      unitsAtOnce += leaf.length + unitsPerText;
      if (unitsAtOnce > sliceUnits) {
        // With many texts in one body, other requests run between them.
        unitsAtOnce = leaf.length + unitsPerText;
        await setImmediate();
      }
      const label = i < parsed.leaves.length ? parsed.labels?.get(i) : cellBefore(found.leaves, i, documents);
      const search = detectLabelled((text) => detector.detect(text, of.input), label, leaf);
      const at = known ?? i;
      if (found.add(at, search instanceof Promise ? await search : search)) known = at;
    }
    addCutValues(of, found, signed);
    if (isMasking && !isAllowed) await refuseSealed(parsed, detector);
    const result = await this.rewrite(of, found, opened, signed);
    return of.input.wantsDocuments ? { ...result, documents: textsOf(parsed, documents) } : result;
  }

  /**
   * Writes tokens in place of values, if masking is on. `signed` texts are sent as given; notes replace other parts.
   */
  private rewrite(
    { input, kind, parsed, blocked, replacements }: Opened,
    found: Found,
    { documents, notes }: OpenedParts = { documents: [], notes: undefined },
    signed?: ReadonlyMap<number, string | undefined>,
  ): MaskingResult | Promise<MaskingResult> {
    found.addRepeats(parsed.leaves.length, signed);
    const { leaves, detections, counts } = found;
    const isRestoredBack = signed !== undefined && [...signed.values()].some((text) => text !== undefined);
    if (input.mode !== 'mask' || (detections === undefined && !isRestoredBack && notes === undefined))
      return { body: input.body, changed: false, counts, masked: 0 };
    refuseTypes(counts ?? {}, blocked);
    refuseFixed(documents, detections ?? []);
    const finish = (masks: readonly (string | undefined)[], parts: readonly (Uint8Array | undefined)[]) => {
      const texts = isRestoredBack ? leaves.map((_, i) => signed.get(i) ?? masks[i]) : masks;
      let masked = parsed.rewrite(texts, parts, notes, replacements === undefined && !isRestoredBack);
      if (kind === 'json' && this.hints.size > 0 && input.service && isNamed(input.service, this.hints)) {
        masked = withHint(masked, input.host + input.path) ?? masked;
      }
      const body = Buffer.from(masked, isBytewise(kind) ? 'latin1' : 'utf8');
      return { body, changed: true, counts, masked: found.total, numbers: parsed.numbers() };
    };
    if (detections === undefined) return finish([], []);
    // Tokens in signed text come from a response, and must not keep a value from getting the same token again.
    const isSigned = (i: number) => parsed.seals?.has(i) && detections[i] === undefined;
    const written = parsed.seals === undefined ? leaves : leaves.map((leaf, i) => (isSigned(i) ? '' : leaf));
    const { entries, taken } = reservation(written, replacements?.tokensOnly(detections) ?? detections);
    const allOf = (tokens: string[]) => replacements?.filled(detections, tokens) ?? tokens;
    // A request without its own lifetime keeps the session's, which a file may have extended.
    const options = isAnsweredLater(input.path) ? { taken, ttlMs: this.laterTtlMs() } : { taken };
    const reserved =
      this.options.isAside || entries.length <= entriesAtOnce
        ? this.options.vault.reserve(input.session, entries, options)
        : this.reserveInParts(input.session, entries, options);
    if (!(reserved instanceof Promise) && documents.length === 0)
      return finish(applyReserved(leaves, detections, allOf(reserved)), []);
    return Promise.resolve(reserved).then(async (issued) => {
      const tokens = allOf(issued);
      const texts = applyReserved(leaves, detections, tokens);
      if (documents.length === 0) return finish(texts, []);
      return finish(texts, await rewriteDocuments(documents, texts, tokensAt(detections, tokens)));
    });
  }

  private async reserveInParts(
    session: string,
    entries: readonly VaultEntry[],
    options: ReserveOptions,
  ): Promise<string[]> {
    const tokens: string[] = [];
    for (let from = 0; from < entries.length; from += entriesAtOnce) {
      tokens.push(...(await this.options.vault.reserve(session, entries.slice(from, from + entriesAtOnce), options)));
      await setImmediate();
    }
    return tokens;
  }

  /** Lifetime of the tokens of files and batches: the session's, but at least as long as batches take. */
  private laterTtlMs(): number {
    const { tokenTtlMs, batchTtlMs } = this.options;
    return tokenTtlMs === 0 || batchTtlMs === 0 ? 0 : Math.max(tokenTtlMs, batchTtlMs);
  }

  private setFor(types: MaskingInput['types']): DetectorSet {
    if (!types) return this.base;
    let set = this.ofRule.get(types);
    if (!set) {
      set = this.detectorSet({ ...this.options.types, ...types });
      this.ofRule.set(types, set);
    }
    return set;
  }

  private detectorSet(settings: Readonly<Record<string, TypeSetting>>): DetectorSet {
    const types = this.options.builtinTypes.filter((type) => settingOf(type, settings) !== 'off');
    const { dictionary, recognizers = [], hashKey } = this.options;
    const named = [...types, ...dictionary.map(({ label }) => label), ...recognizers.map(({ type }) => type)];
    const blocked = new Set(named.filter((type) => settingOf(type, settings) === 'block'));
    const options = { types, dictionary, recognizers, detectionsMax: tokensPerSessionMax };
    const detector = new RememberingDetector(options, undefined, this.options.isAside);
    return { detector, blocked, replacements: replacementsOf(settings, hashKey) };
  }
}

function costOf(texts: readonly string[]): number {
  return unitsIn(texts) + texts.length * unitsPerText;
}

/** Adds the pieces of values split across adjoining texts, except in signed ones. */
function addCutValues({ parsed, detector }: Opened, found: Found, signed?: ReadonlyMap<number, unknown>): void {
  if (parsed.adjoining === undefined) return;
  // Short enough to search synchronously.
  const detect = (text: string) => detector.detect(text) as Detection[];
  findCutValues(parsed.leaves, parsed.adjoining, detect, (at, piece) => {
    if (!signed?.has(at)) found.add(at, [piece]);
  });
}

const bodyErrors: ReadonlySet<string> = new Set(['bad_request', 'invalid_json', 'undecodable_body', 'uninspectable']);

/** Adds the failed step to an error that does not state it. */
function atStep(step: string, error: unknown): unknown {
  if (!(error instanceof PrivetError) || error.message.startsWith('Step ') || !bodyErrors.has(error.code)) return error;
  const message = `Step ${step}: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
  return new PrivetError(error.code, message, { hint: error.hint, details: error.details, cause: error });
}

/** Bodies that may contain binary parts are read with one character per byte (core/payload/body-text.ts). */
function decodeText(body: Buffer, kind: TextBodyKind): string {
  const text = isBytewise(kind) ? body.toString('latin1') : utf8Text(body);
  if (text !== undefined) return text;
  throw new PrivetError('undecodable_body', 'Step decode: the body is not valid UTF-8 text.');
}

/** True if a body consists only of bytes of unknown kind. */
function isBinary({ kind, parsed }: Opened): boolean {
  const [whole, ...others] = parsed.uninspectable;
  return kind === 'content' && parsed.leaves.length + others.length === 0 && whole?.kind === 'binary' && !!whole.bytes;
}

/** The texts of each document, without alternative readings. */
function textsOf({ uninspectable }: RequestBody, documents: readonly BodyDocument[]): MaskingResult['documents'] {
  return documents.map(({ part, document: { texts, again } }) => {
    const text = texts.filter((_, i) => again?.[i] !== true).join('\n');
    return { pointer: uninspectable[part]?.pointer ?? 'file', text: text.slice(0, documentUnitsMax) };
  });
}

/** Maximum number of returned characters per document. */
const documentUnitsMax = 4 * 1024 * 1024;

function unchanged(body: Buffer): MaskingResult {
  return { body, changed: false, counts: undefined, masked: 0 };
}

/** True for files and batches, whose results are fetched hours or days later. */
function isAnsweredLater(path: string): boolean {
  return /\/(?:files|uploads|batch(?:es)?)(?:[/?:]|$)|:batchGenerateContent/i.test(path);
}

/** Throws if a type set to `block` was found: the request is then not sent. */
function refuseTypes(counts: Readonly<Record<string, number>>, blocked: ReadonlySet<string>): void {
  const refused = Object.keys(counts).filter((type) => blocked.has(type));
  if (refused.length === 0) return;
  throw new PrivetError(
    'blocked_by_policy',
    `Step detect: the request contains ${refused.join(', ')}, which may not be sent to this service.`,
    {
      hint: 'Remove the data and send the request again.',
      details: { types: Object.fromEntries(refused.map((type) => [type, counts[type]])) },
    },
  );
}
