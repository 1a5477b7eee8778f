/**
 * Sends requests over HTTP/2 if the origin supports it, else over our own HTTP/1.1 client: undici's would treat an
 * unsolicited interim 100 as the end of the connection, and parses heads less strictly than `gateway/http1`.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';

/** Why undici gets no connection: the origin chose HTTP/1.1 (ALPN). Carries the connection for the other client. */
class Http1Chosen extends Error {
  #socket: Socket | undefined;

  constructor(socket: Socket) {
    super('the origin speaks HTTP/1.1');
    this.#socket = socket;
  }

  /** The connection, once. */
  take(): Socket | undefined {
    const socket = this.#socket;
    this.#socket = undefined;
    return socket;
  }
}

/** A connector that gives undici HTTP/2 connections only; {@link http1Connection} returns the others. */
export function http2Only(connector: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connector(options, (...result) => {
      // None if the connection failed.
      const socket = result[1] as TLSSocket | null | undefined;
      if (!socket || socket.alpnProtocol === 'h2') {
        (callback as (...all: unknown[]) => void)(...result);
        return;
      }
      const chosen = new Http1Chosen(socket);
      // All waiting requests are notified before this returns.
      callback(chosen, null);
      chosen.take()?.destroy();
    });
}

/** If the origin chose HTTP/1.1: its connection for the first caller, then `null`. Undefined for other errors. */
export function http1Connection(error: Error): Socket | null | undefined {
  return error instanceof Http1Chosen ? (error.take() ?? null) : undefined;
}

/** True if the origin rejected the TLS handshake because it does not support HTTP/1.1 (RFC 7301 §3.2). */
export function refusesHttp1(error: Error & { code?: string }): boolean {
  return error.code?.endsWith('ALERT_NO_APPLICATION_PROTOCOL') === true;
}

/** The handler of a request that may be rerouted on failure; `instead` returns true if it was. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #instead: (error: Error) => boolean;

  constructor(handler: Dispatcher.DispatchHandler, instead: (error: Error) => boolean) {
    this.#handler = handler;
    this.#instead = instead;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...args: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>): void {
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#instead(error)) this.#handler.onResponseError?.(controller, error);
  }
}
