import type { Exchange, StageInput } from '../exchange.ts';
import { headerValue } from '../request/headers.ts';
import { hasMaskedField, maskFields } from '../request/masked-fields.ts';
import { maskTarget, mayBePersonal } from '../request/masked-target.ts';
import { isNoIdentity, isServiceSignIn } from '../request/service-sign-in.ts';

/** Masks URL and headers of an inspected request. */
export function fields(exchange: Exchange): Exchange | Promise<Exchange> {
  const { parts, context, decision, target, rawHeaders, policy } = exchange;
  if (decision.inspect === 'tunnel') return exchange;
  const { types, service } = decision;
  const session = parts.sessions.sessionFor(context, { rawHeaders, target, service, policy });
  const mode = decision.inspect === 'mask' ? 'mask' : 'audit';
  const client = context.client.subject;
  const input: StageInput = { host: target.host, path: target.path, session, client, mode, types, service };
  exchange.fieldInput = input;
  const isSignIn = mode === 'mask' && isServiceSignIn(target, plainLength(exchange));
  exchange.input = isSignIn ? { ...input, accepts: isNoIdentity, passesBinary: true } : input;
  const hasFields = hasMaskedField(rawHeaders);
  return hasFields || mayBePersonal(target.path) ? maskHead(exchange, exchange.input, hasFields) : exchange;
}

async function maskHead(exchange: Exchange, input: StageInput, hasFields: boolean): Promise<Exchange> {
  const { masker, record, rawHeaders } = exchange;
  const { path } = exchange.target;
  if (mayBePersonal(path)) exchange.path = await maskTarget(masker, input, { path, rawHeaders }, record);
  if (hasFields && exchange.fieldInput)
    exchange.fields = await maskFields(masker, exchange.fieldInput, rawHeaders, record);
  return exchange;
}

/** Length of the decoded body; undefined if unknown, as for compressed bodies. */
function plainLength(exchange: Exchange): number | undefined {
  if (!exchange.hasBody) return 0;
  return headerValue(exchange.rawHeaders, 'content-encoding') === undefined ? exchange.framing.length : undefined;
}
