import { PrivetError } from '../../../core/errors.ts';
import type { GuardInput, OpenedRequest } from '../../agents/opened-request.ts';
import { fileText } from '../../convert/kinds.ts';
import { type ClientResponse, hasLeft, readsAnswer } from '../answer/answers.ts';
import { shortCodedBodyMax } from '../body/large-bodies.ts';
import type { MaskingInput, MaskingResult } from '../body/masking.ts';
import { bodySignature, keepSigned } from '../body/signed-bodies.ts';
import { bodyType, isPieceOfFile } from '../body/uploads.ts';
import { andThen, type Exchange, type StageInput } from '../exchange.ts';
import { headerValue } from '../request/headers.ts';
import { maskMirrors } from '../request/masked-fields.ts';
import { changesOf, hasMirrorField } from '../request/mirror-fields.ts';
import { mergeCounts } from '../request/query.ts';

/** Masks the body; the agent guard checks tools, MCP servers and injections before and after. */
export function mask(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, input, received, rawHeaders } = exchange;
  if (input === undefined || exchange.streamsBothWays) return exchange;
  if (received !== undefined) return maskBody(exchange, input, received);
  if (!exchange.hasBody) exchange.guarded = { answer: parts.agents.openAnswer(guardInput(exchange)) };
  return hasMirrorField(rawHeaders) ? maskMirrored(exchange, new Map()) : exchange;
}

function maskBody(exchange: Exchange, input: StageInput, received: Buffer): Exchange | Promise<Exchange> {
  const { parts, rawHeaders } = exchange;
  const mayBeText = () => headerValue(rawHeaders, 'content-encoding') !== undefined || fileText(received) !== undefined;
  if (input.mode === 'mask' && isPieceOfFile(rawHeaders, exchange.target.path) && mayBeText()) {
    throw new PrivetError('uninspectable', 'Step inspect: a piece of a text file cannot be masked by itself.', {
      hint: 'Send the file in one piece.',
    });
  }
  const started = performance.now();
  const gone = received.length > shortCodedBodyMax ? goneSignal(exchange.response) : undefined;
  return andThen(parts.agents.open(guardInput(exchange, gone), received), (opened) =>
    andThen(exchange.masker.mask(bodyInput(exchange, input, received, opened, gone)), (masked) => {
      exchange.record.maskMs = performance.now() - started;
      return finishBody(exchange, received, masked, opened);
    }),
  );
}

/** Aborted when the client disconnects. */
function goneSignal(response: ClientResponse): AbortSignal {
  const gone = new AbortController();
  if (hasLeft(response)) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Applies the masked body, as allowed by the guard. */
function finishBody(
  exchange: Exchange,
  received: Buffer,
  result: MaskingResult,
  opened: OpenedRequest | undefined,
): Exchange | Promise<Exchange> {
  const { masker, record, rawHeaders, input } = exchange;
  const signature = result.changed ? bodySignature(rawHeaders) : undefined;
  const masked = signature === undefined ? result : keepSigned(masker, signature, result, received);
  exchange.masked = masked;
  if (input !== undefined) masker.numbers.remember(input.session, masked.numbers);
  exchange.body = masked.body;
  return andThen(opened?.finish(masked), (guarded) => {
    exchange.guarded = guarded;
    exchange.body = guarded?.body ?? masked.body;
    record.piiTypes = mergeCounts(record.piiTypes, masked.counts);
    record.masked += masked.masked;
    return hasMirrorField(rawHeaders)
      ? maskMirrored(exchange, changesOf(received, masked.body) ?? new Map())
      : exchange;
  });
}

/** Masks headers that repeat part of the body. */
async function maskMirrored(exchange: Exchange, changes: ReadonlyMap<string, string>): Promise<Exchange> {
  const { masker, record, rawHeaders, fields, fieldInput } = exchange;
  if (fieldInput) exchange.fields = await maskMirrors(masker, fieldInput, { raw: rawHeaders, changes, fields }, record);
  return exchange;
}

/** Counts findings in the copy of a body that was forwarded unread; undefined if there is no copy. */
export async function countCopy(exchange: Exchange, input: StageInput, copy: Buffer | undefined): Promise<void> {
  if (copy === undefined) return;
  const { parts, masker, record } = exchange;
  const opened = await parts.agents.open(guardInput(exchange), copy);
  const masked = await masker.mask(bodyInput(exchange, input, copy, opened));
  record.piiTypes = mergeCounts(record.piiTypes, masked.counts);
  await opened?.finish(masked);
}

function bodyInput(
  exchange: Exchange,
  { host, path, session, client, mode, types, service, accepts, passesBinary }: StageInput,
  body: Buffer,
  opened: OpenedRequest | undefined,
  gone?: AbortSignal,
): MaskingInput {
  const contentType = bodyType(exchange.rawHeaders);
  // Member by member: a copy of an object takes several times as long.
  return {
    body,
    contentType,
    kind: contentType === exchange.contentType ? exchange.kind : undefined,
    contentEncoding: headerValue(exchange.rawHeaders, 'content-encoding'),
    json: opened?.json,
    host,
    path,
    session,
    client,
    mode,
    types,
    service,
    accepts,
    passesBinary,
    wantsDocuments: opened?.wantsDocuments ?? true,
    gone,
  };
}

/** The input of the tool and injection checks. */
export function guardInput(
  { policy, decision, asked, rawHeaders, record, masker, kind, request }: Exchange,
  gone?: AbortSignal,
): GuardInput {
  const { bodyBytesMax: bytesMax, allowsHost } = masker.options;
  const answersHere = readsAnswer(rawHeaders, request.url ?? '');
  return { policy, decision, asked, rawHeaders, record, kind, bytesMax, allowsHost, gone, answersHere };
}
