/**
 * Records the signed reasoning in a session's responses. Its provider wrote it and accepts it only unchanged, so it may
 * be sent back unmasked. Keeps only a keyed hash of text and signature.
 */
import type { Transform } from 'node:stream';
import type { TokenMap, TokenVault } from '../../../core/vault.ts';
import { boundedCache } from '../../bounded-cache.ts';
import { Hmac } from '../../hmac.ts';
import type { RestorePlan } from '../answer/restoring.ts';
import { decodeStreams } from './content-coding.ts';
import { SignedReasoningReader } from './signed-reasoning.ts';

/** Maximum number kept in this process, over all sessions; 6 MB when full. */
const hashesMax = 32_768;
/** Maximum number per session in the vault, then all are dropped. A day-long tool loop has some hundred. */
const ofSessionMax = 2_000;

/** Reasoning of relayed responses. The vault keeps it for other processes and restarts. */
export class SeenReasoning {
  readonly #vault: TokenVault;
  readonly #known = boundedCache<string, true>(hashesMax);

  constructor(vault: TokenVault) {
    this.#vault = vault;
  }

  /** Records a text and its signature; if the vault has no space, only this process knows them. */
  async remember(session: string, signature: string, text: string): Promise<void> {
    const hash = hashOf(session, signature, text);
    if (this.#known.has(hash)) return;
    this.#known.set(hash, true);
    const id = idOf(session);
    try {
      const held = await this.#vault.tokens(id);
      if (held !== undefined && held.size >= ofSessionMax) await this.#vault.drop(id);
      await this.#vault.reserve(id, [{ type: 'SIGNED', value: hash, label: true }]);
    } catch {
      // A later turn is then rejected, or masked if allowed.
    }
  }

  /** True if a response of the session contained this text with this signature. */
  async isSeen(session: string, signature: string, text: string): Promise<boolean> {
    const hash = hashOf(session, signature, text);
    if (this.#known.has(hash)) return true;
    const held = await this.#vault.tokens(idOf(session));
    for (const [, known] of held?.entries() ?? []) this.#known.set(known, true);
    return this.#known.has(hash);
  }
}

/** The session id in the vault, next to that of the tokens. */
function idOf(session: string): string {
  return `${session}-signed`;
}

/** Session ids depend on the gateway's secret, so the hash cannot be computed elsewhere. */
function hashOf(session: string, signature: string, text: string): string {
  return new Hmac(Buffer.from(session)).digest(JSON.stringify([signature, text])).toString('base64', 0, 18);
}

/** Replaces values in the text with their tokens, undoing the restoring. */
export function withTokens(text: string, map: TokenMap | undefined): string {
  const held = [...(map?.entries() ?? [])].filter(([, value]) => value !== '' && text.includes(value));
  if (held.length === 0) return text;
  // A value may be part of another one.
  held.sort(([, a], [, b]) => b.length - a.length);
  const tokens = new Map(held.map(([token, value]) => [value, token]));
  const any = new RegExp(held.map(([, value]) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  return text.replace(any, (value) => tokens.get(value) ?? value);
}

/** Receives the bytes of a response as sent by the origin. */
export type ReasoningWatch = { push(chunk: Uint8Array): void; end(): void };

/** Maximum length that is decoded only for this check. */
const decodedMax = 32 * 1024 * 1024;

/** Watches a response for signed reasoning; undefined if it cannot contain any. */
export function watchReasoning(
  seen: SeenReasoning,
  session: string,
  answer: { readonly plan: RestorePlan; readonly contentEncoding: string | undefined },
): ReasoningWatch | undefined {
  const { plan, contentEncoding } = answer;
  if (plan === 'pass' || plan === 'html' || plan === 'text') return undefined;
  const reader = new SignedReasoningReader(plan, (signature, text) => void seen.remember(session, signature, text));
  const decoders = contentEncoding === undefined ? [] : decodeStreams(contentEncoding);
  if (decoders === undefined) return undefined;
  const [first] = decoders;
  return first === undefined ? reader : decoding(first, decoders, reader);
}

function decoding(first: Transform, decoders: readonly Transform[], reader: SignedReasoningReader): ReasoningWatch {
  let size = 0;
  const stop = () => {
    for (const decoder of decoders) decoder.destroy();
  };
  for (const decoder of decoders) decoder.on('error', stop);
  const last = decoders.reduce((before: Transform, next) => (before === next ? next : before.pipe(next)));
  last.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > decodedMax) stop();
    else reader.push(chunk);
  });
  last.on('end', () => reader.end());
  return {
    push: (chunk) => void (first.destroyed || first.write(Buffer.from(chunk))),
    end: () => void (first.destroyed || first.end()),
  };
}
