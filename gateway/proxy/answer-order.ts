/** The order of answers on a connection of HTTP/1.1 (RFC 9112 §9.3.2), for what is answered beside node's own queue. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Where node keeps the response whose turn it is; the ones behind it follow when it has ended. */
type WithAnswer = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Calls `serve` when the requests in front are answered: at once, as a rule. An answer in front would else stand inside
 * the tunnel that is opened, or an error would be taken for the answer to another request. A request whose body is not
 * complete is the last one, and what spoilt it spoils its own answer.
 */
export function afterAnswers(socket: Socket, serve: () => void): void {
  const current = (socket as WithAnswer)._httpMessage;
  if (!current?.req.complete) {
    serve();
    return;
  }
  current.once('close', () => {
    socket.setTimeout(0);
    if (socket.destroyed || !socket.writable) socket.destroy();
    else afterAnswers(socket, serve);
  });
}
