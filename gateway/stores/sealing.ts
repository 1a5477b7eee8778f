/**
 * Encryption of stored values: AES-256-GCM under the process key, or under a session key that is itself encrypted with
 * it. Equal values are found again by a keyed hash, never by their text.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto';
import { storeKeyLengthMin } from '../../config/environment.ts';
import { PrivetError } from '../../core/errors.ts';
import { Hmac } from '../hmac.ts';

/** A session's own key; `wrapped` is its stored form. */
export type SessionKey = { readonly id: string; readonly secret: KeyObject; readonly wrapped: string };

type ProcessKey = { readonly id: string; readonly encryption: KeyObject; readonly hashing: Hmac };

const ivBytes = 12;
const tagBytes = 16;
const idBytes = 4;
/** How the text was encoded: UTF-8 cannot represent a lone surrogate. */
const utf8Text = 1;
const utf16Text = 2;

/** The keys of `PROXY_STORE_KEY`: the first encrypts, all decrypt. */
export class StoreKeys {
  readonly #keys: readonly [ProcessKey, ...ProcessKey[]];
  readonly #random = new RandomBytes();

  private constructor(keys: readonly [ProcessKey, ...ProcessKey[]]) {
    this.#keys = keys;
  }

  /**
   * Parses keys, comma separated, the current one first.
   * @throws PrivetError `invalid_input` for one that is shorter than {@link storeKeyLengthMin} characters.
   */
  static parse(text: string): StoreKeys {
    const [first, ...rest] = text.split(',').map((part) => deriveKey(part.trim()));
    return new StoreKeys([first as ProcessKey, ...rest]);
  }

  get currentId(): string {
    return this.#keys[0].id;
  }

  /** Whether data encrypted under this id can be read. */
  has(id: string): boolean {
    return this.#keys.some((key) => key.id === id);
  }

  /** The hashes under which a session's value may be stored; new ones use the first. 22 characters each. */
  hashes(session: string, what: string, value: string): string[] {
    const bytes = Buffer.concat([Buffer.from(`${session}\u0000${what}\u0000`), encodeText(value)]);
    return this.#keys.map(({ hashing }) => hashing.digest(bytes).subarray(0, 16).toString('base64url'));
  }

  /** Encrypts a value directly; `context` must be the same on decryption. */
  seal(value: string, context: string): string {
    const { id, encryption } = this.#keys[0];
    return this.#encrypt(encryption, id, encodeText(value), context);
  }

  /** Encrypts a value under its session's key. */
  sealUnder(key: SessionKey, value: string, context: string): string {
    return this.#encrypt(key.secret, key.id, encodeText(value), context);
  }

  newSessionKey(session: string): SessionKey {
    const secret = this.#random.take(32);
    const id = this.#random.take(idBytes).toString('hex');
    const { id: by, encryption } = this.#keys[0];
    return {
      id,
      secret: createSecretKey(secret),
      wrapped: this.#encrypt(encryption, by, secret, `${session}\u0000${id}`),
    };
  }

  /**
   * Decrypts a sealed text; `wrapped` returns the session's keys by id.
   * @throws PrivetError `unavailable` when its key is no longer listed, or it was modified.
   */
  open(sealed: string, context: string, session: string, wrapped: (id: string) => string | undefined): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const id = bytes.subarray(0, idBytes).toString('hex');
    const own = this.#keys.find((key) => key.id === id);
    if (own !== undefined) return decodeText(decrypt(own.encryption, bytes, context));
    const envelope = wrapped(id);
    if (envelope === undefined) throw unreadable();
    return decodeText(decrypt(this.#unwrap(envelope, session, id), bytes, context));
  }

  /**
   * Key id, initialisation vector, ciphertext, tag; base64url. Using a key object costs a seventh of using plain bytes.
   */
  #encrypt(key: KeyObject, id: string, plain: Buffer, context: string): string {
    const iv = this.#random.take(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
    const parts = [Buffer.from(id, 'hex'), iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  #unwrap(envelope: string, session: string, id: string): KeyObject {
    const bytes = Buffer.from(envelope, 'base64url');
    const by = bytes.subarray(0, idBytes).toString('hex');
    const key = this.#keys.find((candidate) => candidate.id === by);
    if (key === undefined) throw unreadable();
    return createSecretKey(decrypt(key.encryption, bytes, `${session}\u0000${id}`));
  }
}

/** Random bytes, fetched in large batches: twelve bytes take as long as thousands. None is used twice. */
class RandomBytes {
  #bytes = Buffer.alloc(0);

  take(length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = randomBytes(4096);
    const taken = Buffer.from(this.#bytes.subarray(0, length));
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}

function deriveKey(text: string): ProcessKey {
  if (text.length < storeKeyLengthMin) {
    throw new PrivetError(
      'invalid_input',
      `A key of PROXY_STORE_KEY is too short: use at least ${storeKeyLengthMin} characters, better 32 random bytes.`,
    );
  }
  // The key may be a passphrase, so derive it slowly; an individual salt would have to be stored.
  const bytes = scryptSync(text.normalize('NFC'), 'privet store key', 64, { N: 16_384, r: 8, p: 1 });
  const encryption = bytes.subarray(0, 32);
  const id = createHash('sha256').update('id').update(encryption).digest().subarray(0, idBytes).toString('hex');
  return { id, encryption: createSecretKey(encryption), hashing: new Hmac(bytes.subarray(32)) };
}

function decrypt(key: KeyObject, bytes: Buffer, context: string): Buffer {
  try {
    const iv = bytes.subarray(idBytes, idBytes + ivBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(idBytes + ivBytes, -tagBytes)), decipher.final()]);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function encodeText(text: string): Buffer {
  const isWellFormed = text.isWellFormed();
  const body = Buffer.from(text, isWellFormed ? 'utf8' : 'utf16le');
  return Buffer.concat([Buffer.from([isWellFormed ? utf8Text : utf16Text]), body]);
}

function decodeText(bytes: Buffer): string {
  return bytes.subarray(1).toString(bytes[0] === utf16Text ? 'utf16le' : 'utf8');
}

function unreadable(cause?: unknown): PrivetError {
  return new PrivetError('unavailable', 'A stored value cannot be decrypted.', {
    hint: 'List the key that encrypted it in PROXY_STORE_KEY, after the current one.',
    cause,
  });
}
