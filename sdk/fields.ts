/** Shared by all middleware: the masked fields of a request, and the response if masking fails. */
import { PrivetError } from '../core/errors.ts';
import type { Uninspectable } from './body.ts';
import { checkOptions, checkTypes, maskOptions } from './options.ts';
import type { MaskOptions, Privet } from './privet.ts';

/** Options for the masked parts of a request. */
export type FieldsOptions = Omit<MaskOptions, 'sessionId'> & {
  /** Fields of the body, e.g. `['question', 'customer.note', 'messages']`. Default: every text of the body. */
  readonly fields?: readonly string[];
  readonly uninspectable?: Partial<Uninspectable>;
};

type MaskFieldsOptions = FieldsOptions & { readonly sessionId: string; readonly contentType: string | undefined };

/**
 * Masks the named fields of a parsed body, or everything in text or bytes.
 * @throws PrivetError unless the body is certainly safe to pass on
 */
export async function maskFields(privet: Privet, body: unknown, options: MaskFieldsOptions): Promise<unknown> {
  const { fields, contentType, uninspectable } = options;
  const mask = maskOptionsOf(options);
  const inParts = { ...mask, ...(uninspectable === undefined ? {} : { uninspectable }) };
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const masked = await privet.maskBody(body, { ...inParts, ...(contentType === undefined ? {} : { contentType }) });
    // Express passes raw bodies as Buffer, and handlers use its methods.
    return masked.body instanceof Uint8Array && body instanceof Uint8Array ? sameKind(body, masked.body) : masked.body;
  }
  if (typeof body !== 'object' || body === null) return body;
  if (fields === undefined) return (await privet.maskMessages(body, inParts)).messages;
  let result: unknown = body;
  for (const field of fields) result = await maskField(privet, result, field.split('.'), inParts);
  return result;
}

/**
 * Checks the options when the middleware is created, not at its first request. `more`: names allowed in addition.
 * @throws PrivetError `invalid_input`
 */
export function checkFieldsOptions(call: string, options: FieldsOptions, more: readonly string[] = []): void {
  const ofMasking = maskOptions.filter((name) => name !== 'sessionId');
  checkOptions(call, options, ['fields', ...ofMasking, 'uninspectable', 'session', 'restore'], more);
  checkTypes(options.types);
}

function maskOptionsOf(options: object): MaskOptions {
  // The session of a request is known, so short tokens suffice, which models copy best.
  const given = Object.entries(options).filter(([name]) => maskOptions.includes(name));
  return { tokenFormat: 'counter', ...Object.fromEntries(given) };
}

/** Masks a field on a copy of its path, so the given body does not change. A missing field is not an error. */
async function maskField(
  privet: Privet,
  value: unknown,
  way: readonly string[],
  mask: MaskOptions & Pick<FieldsOptions, 'uninspectable'>,
): Promise<unknown> {
  const [name, ...rest] = way;
  if (name === undefined) {
    if (typeof value === 'string') return (await privet.mask(value, maskOptionsOf(mask))).masked;
    return typeof value === 'object' && value !== null ? (await privet.maskMessages(value, mask)).messages : value;
  }
  if (Array.isArray(value)) return Promise.all(value.map((item) => maskField(privet, item, way, mask)));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const masked = await maskField(privet, (value as Record<string, unknown>)[name], rest, mask);
  return { ...value, [name]: masked };
}

function sameKind(original: Uint8Array, bytes: Uint8Array): Uint8Array {
  const from = (
    original.constructor as { from?: (buffer: ArrayBufferLike, offset: number, length: number) => Uint8Array }
  ).from;
  return original.constructor === Uint8Array || from === undefined
    ? bytes
    : from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** True if a request declares a body (RFC 9112 section 6). */
export function hasBody(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The error for a request whose body was not parsed: a later handler would read it unmasked. */
export function unparsed(): PrivetError {
  return new PrivetError('internal', 'The body of the request was not parsed, so it cannot be masked.', {
    hint: 'Put the body parser for this content type before the Privet middleware.',
  });
}

/** The response if masking failed: always 500, because the request was not handled. */
export function toFailure(error: unknown): {
  status: 500;
  body: { error: { code: string; message: string; hint: string } };
} {
  const known = error instanceof PrivetError ? error : new PrivetError('internal', 'The request could not be masked.');
  const { code, message, hint } = known;
  return { status: 500, body: { error: { code, message, hint } } };
}
