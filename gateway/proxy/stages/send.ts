import { citedDocuments } from '../../../core/payload/cited-documents.ts';
import type { DocumentShifts } from '../../../core/payload/offsets.ts';
import type { TokenMap } from '../../../core/vault.ts';
import { LiveMap } from '../answer/live-map.ts';
import { relayResponse } from '../answer/relay.ts';
import { andThen, type Exchange, type StageInput } from '../exchange.ts';
import { withValues } from '../request/masked-fields.ts';
import { resumedStream } from '../request/resumed-stream.ts';
import { carriesVia, upstreamHeaders } from '../request/upstream-headers.ts';

/** Sends the request upstream; what comes back is relayed, and restored with the tokens of the session. */
export function send(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, input } = exchange;
  const isRestored = input?.mode === 'mask' && !exchange.streamsBothWays;
  const tokens = isRestored ? parts.vault.tokens(input.session) : undefined;
  return andThen(tokens, (map) => relay(exchange, map));
}

function relay(exchange: Exchange, tokens: TokenMap | undefined): Promise<Exchange> {
  const { parts, request, response, record, target, decision, masker, masked, guarded, input, path } = exchange;
  const { allowsHost, linkHosts, bodyBytesMax } = masker.options;
  const body = Buffer.isBuffer(exchange.body) && exchange.body.length === 0 ? null : exchange.body;
  const isJson = input?.mode === 'mask' && Buffer.isBuffer(exchange.body) && exchange.kind === 'json';
  const headers = upstreamHeaders(parts.pseudonym, exchange, (guarded?.changed ?? masked?.changed) === true);
  // On a stream that a client of MCP opens by GET, servers answer calls that are sent later.
  const live = input?.mode === 'mask' && guarded?.answer?.isStream ? new LiveMap(tokens) : undefined;
  const follow =
    live &&
    (async () => {
      live.current = await parts.vault.tokens((input as StageInput).session);
    });
  const map = live ?? (tokens && tokens.size > 0 ? tokens : undefined);
  const resumed = map === undefined ? undefined : resumedStream(request.method ?? '', path);
  const relayed = relayResponse(parts.upstream, {
    request,
    response,
    record,
    target,
    decision,
    probe: exchange.probe,
    confirmAt: exchange.confirmAt,
    headers: withValues(headers, exchange.fields),
    path: resumed?.path ?? path,
    resumesAfter: resumed?.resumesAfter,
    body,
    passesContinue: exchange.expectsOrigin,
    protocol: request.httpVersionMajor === 2 ? 'h2' : 'http/1.1',
    via: carriesVia(exchange) ? parts.pseudonym : undefined,
    map,
    follow,
    // Only JSON requests get reasoning in the response.
    reasoning: isJson ? { seen: masker.reasoning, session: input.session } : undefined,
    allowsHost,
    documents: isJson && masked?.changed && tokens ? documentsOf(exchange.body as Buffer, tokens) : undefined,
    numbers: masked?.numbers,
    linkHosts,
    bytesMax: bodyBytesMax,
    guard: guarded?.answer,
    warning: guarded?.warning,
  });
  return relayed.then(() => exchange);
}

/** The documents of a body that asks for citations. */
function documentsOf(body: Buffer, map: TokenMap): DocumentShifts | undefined {
  return body.includes('"citations"') && body.includes('"document"')
    ? citedDocuments(() => body.toString(), map)
    : undefined;
}
