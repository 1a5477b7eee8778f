/** Requests for the gateway itself, in origin form or by its names: checked like others, answered by the portal. */
import type { PrivetError } from '../../../core/errors.ts';
import { isPortalName, portalHost } from '../../portal/page.ts';
import type { Portal, PortalWay } from '../../portal/portal.ts';
import { type ClientResponse, errorAnswer, sendAnswer } from '../answer/answers.ts';
import type { ClientRequest } from './client-request.ts';
import { type Client, nextRequestId } from './record.ts';
import { checkFraming, parseHostPort } from './target.ts';

const ownTarget = new RegExp(`^http://${portalHost.replace('.', '\\.')}(?::80)?(?=[/?]|$)`, 'i');

/** Path and query of an absolute target that names the portal; otherwise undefined. */
export function portalPath(url: string): string | undefined {
  const match = ownTarget.exec(url);
  if (match === null) return undefined;
  const rest = url.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Answers a request for the gateway itself; a malformed one closes its connection. Never throws. */
export async function serveOwn(
  portal: Pick<Portal, 'answer'>,
  request: ClientRequest,
  response: ClientResponse,
  options: { readonly url: string; readonly client: Client; readonly way: PortalWay },
): Promise<void> {
  try {
    const [host] = checkFraming(request).hosts;
    // RFC 9112 §3.2: an invalid Host is a 400, even where only this server can be meant.
    if (host !== undefined && options.way === 'direct') parseHostPort(host, 'http');
  } catch (error) {
    const context = { requestId: nextRequestId(), rawHeaders: request.rawHeaders, host: '' };
    sendAnswer(request, response, errorAnswer(error as PrivetError, context), true);
    return;
  }
  const answer = await portal.answer(request, options.url, options.client, options.way);
  sendAnswer(request, response, answer);
}

export { isPortalName };
