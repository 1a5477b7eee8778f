/**
 * Relays a response as it arrives, unchanged or restored. A broken connection on either end is passed on as such, never
 * as a complete message: a silently truncated AI response is wrong data.
 */
import http2 from 'node:http2';
import type { Dispatcher } from 'undici';
import type { PrivetError } from '../../../core/errors.ts';
import type { TokenMap } from '../../../core/vault.ts';
import type { ServerResponse } from '../../http1/server-response.ts';
import { needsOwnConnection } from '../admit/connection-auth.ts';
import { type ReasoningWatch, watchReasoning } from '../body/seen-reasoning.ts';
import {
  addField,
  dropField,
  endToEndHeaders,
  FieldNames,
  flatHeaders,
  headerValue,
  newFieldMap,
} from '../request/headers.ts';
import { ofBody } from '../request/upstream-headers.ts';
import { ParentUnusable } from '../upstream/parents.ts';
import { upstreamError } from '../upstream/upstream.ts';
import { cutResponse, flushHead } from './answer-ends.ts';
import { type ClientResponse, hasLeft, writeHead } from './answers.ts';
import type { RelayInput } from './relay-input.ts';
import { BodyRestorer, planRestore, restoreFileName } from './restoring.ts';
import { acceptsTrailers, allowedTrailers, isEmpty, type Trailers } from './trailers.ts';
import { keepOutOfCaches } from './uncached.ts';
import { warningOf } from './warning.ts';

type Controller = Dispatcher.DispatchController & {
  rawHeaders?: readonly (Buffer | string)[] | null;
  /** HTTP/1 version of the received response. */
  readonly httpVersion?: string;
};

/** Makes the client repeat the request over HTTP/1.1 (RFC 9113 §7). */
export function askForHttp1(response: ClientResponse): void {
  if ('stream' in response) response.stream.close(http2.constants.NGHTTP2_HTTP_1_1_REQUIRED);
}

/** Headers that a restored body invalidates, and HTTP/3 hints, which would bypass the gateway. */
const restoredDrop = new FieldNames([...ofBody, 'content-length', 'etag', 'accept-ranges', 'alt-svc']);
/** An interim response has no body, and a client would wait for an announced one (RFC 9110 §8.6). */
const neverInterim = new FieldNames(['content-length', 'alt-svc']);
/** Only the HTTP/3 hints, for responses passed on unchanged. */
const altService = new FieldNames(['alt-svc']);

/** After restoring for this long, other requests run: a fast origin delivers many pieces in one turn. */
const turnMs = 5;

/** Relays one response to the client. */
export class AnswerRelay implements Dispatcher.DispatchHandler {
  private readonly input: RelayInput;
  private readonly resolve: () => void;
  private readonly reject: (error: unknown) => void;
  private controller: Controller | undefined;
  private restorer: BodyRestorer | undefined;
  private reasoning: ReasoningWatch | undefined;
  private started = false;
  private settled = false;
  /** True while the client accepts no more data. */
  private waits = false;
  /** Time spent on restoring since other requests last ran. */
  private busyMs = 0;
  /** Data that waits for the session's tokens. */
  private following: Promise<void> | undefined;

  constructor(input: RelayInput, resolve: () => void, reject: (error: unknown) => void) {
    this.input = input;
    this.resolve = resolve;
    this.reject = reject;
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    const { response } = this.input;
    if (hasLeft(response)) {
      controller.abort(new Error('the client left'));
      return;
    }
    // Emitted only once; `once` would allocate two more functions.
    response.on('close', () => {
      if (!response.writableEnded) controller.abort(new Error('the client left'));
      this.restorer?.close();
      this.settle();
    });
    if ('stream' in response) response.on('error', () => {});
  }

  /** Writes to the client, with back-pressure. */
  private write(bytes: Uint8Array): boolean {
    const response = this.input.response as ServerResponse;
    this.input.record.bytesOut += bytes.length;
    const flows = response.write(bytes);
    if (!flows && !this.waits) {
      this.waits = true;
      response.once('drain', this.onDrain);
    }
    return flows;
  }

  private readonly onDrain = (): void => {
    this.waits = false;
    this.resume();
  };

  private readonly resume = (): void => {
    this.restorer?.resume();
    this.controller?.resume();
  };

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    message?: string,
  ): void {
    if (status < 200) {
      this.relayInformation(status, flatHeaders(controller.rawHeaders, headers));
      return;
    }
    const { record, decision, request, response, target } = this.input;
    // Meant for us; the client would read it as our own challenge.
    if (status === 407 && target.scheme === 'http') {
      this.finish();
      this.reject(new ParentUnusable('it refuses our credentials (407)'));
      controller.abort(new Error('the parent proxy refused the request'));
      return;
    }
    this.started = true;
    record.status = status;
    const raw = flatHeaders(controller.rawHeaders, headers);
    if ('stream' in response && needsOwnConnection(status, raw)) {
      askForHttp1(response);
      return;
    }
    this.input.probe?.answerStart(status, raw);
    const bodiless = request.method === 'HEAD' || status === 204 || status === 304;
    this.restorer = bodiless ? undefined : this.openRestorer(raw);
    if (!bodiless) this.reasoning = this.openWatch(raw);
    const out = endToEndHeaders(raw, this.restorer ? restoredDrop : record.intercepted ? altService : undefined);
    if (!acceptsTrailers(request, out)) dropField(out, 'trailer');
    if (this.input.via !== undefined) out.push('Via', `${controller.httpVersion ?? '1.1'} ${this.input.via}`);
    if (decision.action === 'warn') out.push('x-privet-warning', warningOf(decision, this.input.confirmAt));
    if (this.input.warning !== undefined) out.push('x-privet-warning', this.input.warning);
    if ((this.input.map && restoreFileName(out, this.input.map)) || this.restorer) keepOutOfCaches(out, request.method);
    if (this.restorer?.isDocument) {
      this.headOf = { status, message: message ?? '', headers: out };
      return;
    }
    writeHead(response, status, message ?? '', out);
    // Sends the head before the first byte of a slow stream, or together with it if both arrive together.
    if (bodiless) return;
    if ('stream' in response) process.nextTick(flushHead, response);
    else response.flushSoon();
  }

  /** Relays interim responses such as 103 Early Hints (RFC 8297); HTTP/1.0 does not support them. */
  private relayInformation(status: number, raw: readonly string[]): void {
    const { request, response, passesContinue } = this.input;
    if (status === 100 && passesContinue) {
      (response as ServerResponse).writeContinue();
      return;
    }
    if (status <= 101 || request.httpVersion === '1.0' || response.headersSent || hasLeft(response)) return;
    const fields = newFieldMap();
    const kept = endToEndHeaders(raw, neverInterim);
    for (let i = 0; i < kept.length; i += 2) addField(fields, (kept[i] as string).toLowerCase(), kept[i + 1] as string);
    (response as ServerResponse).writeInformation(status, fields);
  }

  private hasTrailers = false;
  /** The head of a restored document, which waits until its length is known. */
  private headOf: { status: number; message: string; headers: string[] } | undefined;

  private openRestorer(raw: readonly string[]): BodyRestorer | undefined {
    const { map = noTokens, response, record, bytesMax, allowsHost, linkHosts, guard, documents } = this.input;
    const { numbers, resumesAfter } = this.input;
    if (map === noTokens && guard === undefined) return undefined;
    const plan = planRestore(headerValue(raw, 'content-type'), this.input.path, guard?.isOfRpc);
    if (plan === 'pass') return undefined;
    const contentEncoding = headerValue(raw, 'content-encoding');
    const length = contentEncoding === undefined ? headerValue(raw, 'content-length') : undefined;
    return BodyRestorer.create({
      plan,
      contentEncoding,
      length: length === undefined ? undefined : Number(length),
      map,
      bytesMax,
      allowsHost,
      linkHosts,
      client: record.client.subject,
      guard,
      documents,
      numbers,
      resumesAfter,
      sink: {
        write: (bytes, total = bytes.length) => {
          if (this.headOf) this.writeDeferredHead(this.restorer?.isWhole ? total : undefined);
          return this.write(bytes);
        },
        end: () => {
          if (this.headOf) this.writeDeferredHead(0);
          this.countRestored();
          (response as ServerResponse).end();
          this.settle();
        },
        fail: () => {
          this.controller?.abort(new Error('the answer cannot be decoded'));
          record.error ??= 'upstream_failed';
          this.cut();
        },
        refuse: (body) => this.refuse(body),
      },
    });
  }

  /** Ends a rejected response: a document is replaced by an error, a stream has already sent its last event. */
  private refuse(body: Uint8Array | undefined): void {
    const { response, record } = this.input;
    record.error = 'blocked_by_policy';
    if (body !== undefined) {
      if (this.headOf) {
        const { headers } = this.headOf;
        dropField(headers, 'content-type');
        headers.push('Content-Type', 'application/json; charset=utf-8', 'x-request-id', record.requestId);
        this.headOf = { status: 403, message: '', headers };
        record.status = 403;
        this.writeDeferredHead(body.length);
      }
      this.write(body);
    }
    this.countRestored();
    (response as ServerResponse).end();
    this.settle();
    this.controller?.abort(new Error('the answer was refused'));
  }

  private openWatch(raw: readonly string[]): ReasoningWatch | undefined {
    const { reasoning, path } = this.input;
    if (reasoning === undefined) return undefined;
    const plan = planRestore(headerValue(raw, 'content-type'), path);
    const contentEncoding = headerValue(raw, 'content-encoding');
    return watchReasoning(reasoning.seen, reasoning.session, { plan, contentEncoding });
  }

  private writeDeferredHead(length: number | undefined): void {
    const head = this.headOf;
    if (!head) return;
    this.headOf = undefined;
    // Trailers need chunked coding in HTTP/1.1, and announced ones must be sent (RFC 9110 §6.5.1).
    if (!this.hasTrailers) dropField(head.headers, 'trailer');
    if (length !== undefined && !this.hasTrailers) head.headers.push('Content-Length', String(length));
    writeHead(this.input.response, head.status, head.message, head.headers);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.input.probe?.answerData(chunk);
    this.reasoning?.push(chunk);
    const { follow } = this.input;
    if (follow === undefined) {
      this.data(controller, chunk);
      return;
    }
    controller.pause();
    const copy = Buffer.from(chunk);
    this.following = (this.following ?? Promise.resolve()).then(async () => {
      // Every token starts with a bracket. Without the store, the known tokens are restored.
      if (copy.includes(0x5b)) await follow().catch(() => {});
      if (this.settled) return;
      controller.resume();
      this.data(controller, copy);
    });
  }

  private data(controller: Controller, chunk: Buffer): void {
    if (!this.restorer) {
      if (!this.write(chunk)) controller.pause();
      return;
    }
    const start = performance.now();
    const flows = this.restorer.push(chunk, this.resume);
    if (!flows) controller.pause();
    this.busyMs += performance.now() - start;
    if (this.busyMs < turnMs) return;
    this.busyMs = 0;
    if (!flows) return;
    controller.pause();
    setImmediate(() => {
      if (!this.waits && !this.settled) controller.resume();
    });
  }

  /** Runs `act` after data that waits for tokens. */
  private afterData(act: () => void): void {
    if (this.following === undefined) act();
    else this.following = this.following.then(act);
  }

  onResponseEnd(_controller: Controller, trailers?: Trailers): void {
    this.input.probe?.answerEnd();
    this.reasoning?.end();
    this.afterData(() => this.endBody(trailers));
  }

  private endBody(trailers?: Trailers): void {
    const { response, request } = this.input;
    if (this.settled) return;
    if (trailers && !isEmpty(trailers) && acceptsTrailers(request, [])) {
      const allowed = allowedTrailers(trailers, (name) => this.restorer !== undefined && restoredDrop.has(name));
      this.hasTrailers = !isEmpty(allowed);
      if (this.hasTrailers) (response as { addTrailers(fields: unknown): void }).addTrailers(allowed);
    }
    if (this.restorer) {
      this.restorer.end();
      return;
    }
    (response as ServerResponse).end();
    this.settle();
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { response, record, probe } = this.input;
    probe?.answerEnd();
    this.reasoning?.end();
    if (this.settled) return;
    if (!this.started) {
      this.finish();
      this.reject(error);
      return;
    }
    if (!hasLeft(response)) record.error = (upstreamError(error) as PrivetError).code;
    const cut = () => this.cut();
    this.afterData(() => {
      if (this.restorer && !hasLeft(response)) this.restorer.abort(cut);
      else cut();
    });
  }

  private cut(): void {
    this.countRestored();
    cutResponse(this.input.response);
    this.settle();
  }

  private countRestored(): void {
    const counts = this.restorer?.counts;
    if (!counts) return;
    this.input.record.restored = counts.restored;
    this.input.record.unresolved = counts.unresolved;
    this.input.record.unreadable = counts.unreadable;
  }

  private finish(): void {
    this.settled = true;
    if (this.waits) this.input.response.off('drain', this.onDrain);
  }

  private settle(): void {
    if (this.settled) return;
    this.finish();
    this.resolve();
  }
}

const noTokens: TokenMap = new Map();
