/** Masks request bodies of any shape, for `protectFetch` and the middleware. */
import type { Replacements } from '../core/actions.ts';
import type { Detector } from '../core/detect/detector.ts';
import { PrivetError } from '../core/errors.ts';
import { applyReserved, outsideTokens, reservation } from '../core/mask.ts';
import { addNoise, type NoiseOptions } from '../core/noise.ts';
import { bodyBytes, bodyText, isBytewise } from '../core/payload/body-text.ts';
import { detectLabelled } from '../core/payload/labelled.ts';
import { bodyKind, parseRequestBody, type RequestBody, type TextBodyKind } from '../core/payload/request.ts';
import type { Detection } from '../core/recognizer.ts';
import type { ReserveOptions, TokenVault } from '../core/vault.ts';

/** The non-text parts that may be sent unchanged, and parts with personal data that the provider has signed. */
export type Uninspectable = Readonly<Record<'image' | 'audio' | 'document' | 'binary' | 'signed', 'allow' | 'refuse'>>;

/** Images and audio contain no text that could be masked; documents, unknown bytes and signed text may. */
const uninspectableDefault: Uninspectable = {
  image: 'allow',
  audio: 'allow',
  document: 'refuse',
  binary: 'refuse',
  signed: 'refuse',
};

/** The context of masking a body. */
export type BodyMasking = {
  readonly detector: Detector;
  readonly vault: TokenVault;
  readonly sessionId: string;
  readonly reserve?: ReserveOptions;
  /** Noise on the numbers of every text. */
  readonly noise?: Omit<NoiseOptions, 'detections'> | undefined;
  readonly uninspectable?: Partial<Uninspectable>;
  /** Replacements for values that get no token. */
  readonly replacements?: Replacements | undefined;
};

/** The changed texts of an opened body by index; undefined if none changed. */
type NewTexts = (string | undefined)[] | undefined;

/** A masked value, in order of appearance. */
export type Masked = { readonly detection: Detection; readonly text: string; readonly isToken: boolean };

/** A masked text body. `numbers`: the tokens that replaced JSON numbers. */
type MaskedBodyText = {
  readonly body: string | Uint8Array;
  readonly detections: readonly Detection[];
  readonly numbers?: ReadonlySet<string> | undefined;
};

/**
 * Masks a text body. Returns the same string if nothing is detected.
 * @throws PrivetError unless the body is certainly safe to send: `uninspectable`, `invalid_json`, `undecodable_body`,
 * or the vault's error. Nothing may be sent then.
 */
export async function maskBody(
  body: string | Uint8Array,
  contentType: string | undefined,
  masking: BodyMasking,
): Promise<MaskedBodyText> {
  let kind = bodyKind(contentType);
  if (kind === 'content' && contentType === undefined) kind = sniff(body);
  if (kind === 'framed') throw refused('a body of this media type cannot be read');
  if (typeof body === 'string' && isBytewise(kind)) {
    const bytes = new TextEncoder().encode(body);
    const { body: changed, ...rest } = await maskBody(bytes, contentType, masking);
    if (changed === bytes) return { body, ...rest };
    return { body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(changed as Uint8Array), ...rest };
  }
  const text = typeof body === 'string' ? body : bodyText(kind, body);
  const parsed = parseRequestBody(kind, text, contentType === undefined ? {} : { contentType });
  const { texts, masked } = await maskLeaves(parsed, masking);
  const detections = masked.map(({ detection }) => detection);
  if (texts === undefined) return { body, detections };
  const rewritten = parsed.rewrite(texts);
  const numbers = parsed.numbers();
  return { body: typeof body === 'string' ? rewritten : bodyBytes(kind, rewritten), detections, numbers };
}

/** New texts for the leaves of an opened body, and the masked values. @throws like {@link maskBody} */
export async function maskLeaves(
  parsed: RequestBody,
  masking: BodyMasking,
): Promise<{ texts: NewTexts; masked: Masked[] }> {
  const { detector, vault } = masking;
  const uninspectable = { ...uninspectableDefault, ...masking.uninspectable };
  for (const { kind, pointer } of parsed.uninspectable) {
    if (uninspectable[kind] !== 'allow') throw refused(`the part ${pointer} (${kind}) cannot be read`);
  }
  const passesSigned = uninspectable.signed === 'allow';
  for (const text of passesSigned ? [] : parsed.sealed) {
    if (outsideTokens(text, detector.detect(text)).length > 0) {
      throw refused('a part signed by the provider contains personal data and cannot be changed');
    }
  }
  const { leaves } = parsed;
  const found = leaves.map((text, i) =>
    outsideTokens(
      text,
      detectLabelled((part) => detector.detect(part), parsed.labels?.get(i), text),
    ),
  );
  for (const [i, { pointer, isVerified }] of parsed.seals ?? []) {
    if (!isVerified || !found[i]?.length) continue;
    if (!passesSigned) {
      throw refused(`the provider has signed ${pointer}, which contains personal data and cannot be changed`);
    }
    found[i] = [];
  }
  const detections = found.flat();
  if (detections.length === 0) return { texts: withNoise(leaves, undefined, masking.noise), masked: [] };

  const written = leaves.map((leaf, i) => (parsed.seals?.has(i) && found[i]?.length === 0 ? '' : leaf));
  const { replacements } = masking;
  const { entries, taken } = reservation(written, replacements?.tokensOnly(found) ?? found);
  const reserved = await vault.reserve(masking.sessionId, entries, { ...masking.reserve, taken });
  const tokens = replacements?.filled(found, reserved) ?? reserved;
  return {
    texts: withNoise(leaves, applyReserved(leaves, found, tokens), masking.noise),
    masked: detections.map((detection, i) => ({
      detection,
      text: tokens[i] ?? '',
      isToken: replacements === undefined || replacements.of(detection) === undefined,
    })),
  };
}

/** Adds noise to the numbers of the texts; identifiers are tokens by now, which do not change. */
function withNoise(leaves: readonly string[], texts: NewTexts, noise: BodyMasking['noise']): NewTexts {
  if (noise === undefined) return texts;
  let isChanged = texts !== undefined;
  const noisy = leaves.map((leaf, i) => {
    const { text, changed } = addNoise(texts?.[i] ?? leaf, { ...noise, detections: [] });
    isChanged ||= changed > 0;
    return changed > 0 ? text : texts?.[i];
  });
  return isChanged ? noisy : undefined;
}

function sniff(body: string | Uint8Array): TextBodyKind {
  const start = typeof body === 'string' ? body.slice(0, 64) : new TextDecoder().decode(body.subarray(0, 64));
  return /^\s*[{[]/.test(start) ? 'json' : 'text';
}

function refused(reason: string): PrivetError {
  return new PrivetError('uninspectable', `Not sent: ${reason}.`, {
    hint: 'Leave the part out, send it as text, or allow its kind with the option uninspectable.',
  });
}
