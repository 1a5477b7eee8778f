import type { ServerRequest } from '../../http1/server-request.ts';
import type { Exchange } from '../exchange.ts';
import { checkFraming } from '../request/target.ts';

/** Checks how the message is framed, before anything else is read from it. */
export function frame(exchange: Exchange): Exchange {
  const { request } = exchange;
  exchange.framing = ('stream' in request ? undefined : (request as ServerRequest).framing) ?? checkFraming(request);
  return exchange;
}
