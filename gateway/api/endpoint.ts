/**
 * Endpoint definitions: method, path, access, body schema and handler. One definition yields the route, the validation
 * and the entry in /openapi.json.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { isObject } from '../../core/parsing.ts';
import type { Caller } from '../stores/accounts.ts';
import { largeBodyMin } from '../threads/large-turns.ts';
import type { Parties } from './fast-call.ts';
import type { FastPathOptions } from './fast-path.ts';
import { shortBodyMax } from './fast-request.ts';
import type { Idempotency } from './idempotency.ts';
import { sendInParts } from './large-answer.ts';
import type { Turns } from './turns.ts';
import { parse } from './validate.ts';

/** Who may call: anybody, any key, administrators only. */
export type Access = 'open' | 'key' | 'admin';

/** The endpoint's group in the API reference. */
export type Group =
  | 'detect'
  | 'mask'
  | 'injection'
  | 'rag'
  | 'chat'
  | 'account'
  | 'demo'
  | 'admin'
  | 'registry'
  | 'state';

export type ApiCall<B, Q> = {
  readonly body: B;
  readonly query: Q;
  readonly params: Readonly<Record<string, string>>;
  /** On open endpoints the tenant is `''`. */
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** As in `Parties`. */
  readonly gone: AbortSignal | undefined;
};

export type Endpoint<B = unknown, Q = unknown> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/admin/keys/:id` */
  readonly path: string;
  readonly group: Group;
  readonly summary: string;
  readonly access: Access;
  readonly body?: z.ZodType<B>;
  /** A body that the handler reads and checks itself; for the description only. */
  readonly described?: z.ZodType;
  /** The media type of a described body other than JSON, and the plugin that parses it at this endpoint. */
  readonly form?: { readonly type: string; readonly plugin: (scope: FastifyInstance) => void };
  readonly query?: z.ZodType<Q>;
  /** The response schema; described, not validated. */
  readonly answer?: z.ZodType;
  /** The data of one server-sent event, if the endpoint can also answer with events; described, not validated. */
  readonly events?: z.ZodType;
  /** The media type of a response other than JSON. */
  readonly answerType?: string;
  /** Default 200. */
  readonly status?: number;
  /** Error statuses in addition to those that follow from the definition; for the description only. */
  readonly refusals?: readonly number[];
  readonly handle: (call: ApiCall<B, Q>) => unknown;
};

/** An endpoint that needs only the body and caller of a request; short calls to it bypass Fastify. */
export type ShortEndpoint<B> = Omit<
  Endpoint<B>,
  'method' | 'access' | 'body' | 'form' | 'query' | 'status' | 'handle'
> & {
  readonly body: z.ZodType<B>;
  /** A returned function is the rest of the work; see {@link FastPathOptions.paths}. */
  readonly handle: (call: Parties & { readonly body: B }) => unknown;
};

/**
 * Whether a body consists of a text only, as most do. If the schema allows that, it allows any text of a short call,
 * and validating it costs ten times as much (1.5 µs).
 */
function hasTextOnly(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  for (const name in json) if (name !== 'text') return false;
  return typeof (json as { readonly text?: unknown }).text === 'string';
}

/** The response of a short endpoint with all its work done. */
function whole(result: unknown): unknown {
  return typeof result === 'function' ? whole(result()) : result;
}

export type EndpointDescription = Omit<Endpoint, 'handle'>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** Aborted when the client of a large body disconnects. */
    gone: AbortSignal | undefined;
  }
  interface FastifyContextConfig {
    needsBody?: boolean;
  }
}

/** Whether a request must have a body: not if the endpoint takes none, or if its schema also accepts none. */
export function needsBody({ body, described }: EndpointDescription): boolean {
  return described !== undefined || (body !== undefined && !body.safeParse(undefined).success);
}

type Guard = Readonly<Record<'key' | 'admin', onRequestHookHandler>>;

/** Whether an endpoint creates something, so that it accepts an `Idempotency-Key`. */
export function isCreating({ method, status }: EndpointDescription): boolean {
  return method === 'POST' && status === 201;
}

/** The stored response of a request that created something. */
type Created = { readonly body: unknown; readonly location?: string };

/** Adds endpoints to the server and remembers them for the reference. */
export class Endpoints {
  readonly #app: FastifyInstance;
  readonly #guard: Readonly<Record<Access, onRequestHookHandler | undefined>>;
  readonly #turns: Turns;
  readonly #idempotency: Idempotency;
  readonly all: EndpointDescription[] = [];
  /** The handlers of short calls, by path. */
  readonly short = new Map<string, (body: unknown, parties: Parties) => unknown>();

  constructor(
    app: FastifyInstance,
    { turns, idempotency, ...guard }: Guard & { readonly turns: Turns; readonly idempotency: Idempotency },
  ) {
    this.#app = app;
    this.#turns = turns;
    this.#idempotency = idempotency;
    this.#guard = { open: undefined, ...guard };
    app.decorateRequest('caller', null);
  }

  /** Registers a POST endpoint with a key. */
  addShort<B>(endpoint: ShortEndpoint<B>): void {
    const { path, body, handle } = endpoint;
    this.add({ ...endpoint, method: 'POST', access: 'key', handle: (call) => whole(handle(call)) });
    const isTextEnough = body.safeParse({ text: 'x' }).success;
    this.short.set(path, (json, { caller, reply }) => {
      const given = isTextEnough && hasTextOnly(json) ? (json as B) : parse(body, json);
      return handle({ body: given, caller, reply });
    });
  }

  /** The response to a request that creates something; requests with the same key create it once. */
  async #once<B, Q>(key: string, { request, reply, caller }: ApiCall<B, Q>, work: () => unknown): Promise<unknown> {
    const { method, url: path, body } = request;
    const { keyId } = caller;
    const { value, isReplay } = await this.#idempotency.run<Created>({ key, keyId, method, path, body }, async () => {
      const created = await work();
      const location = reply.getHeader('location');
      return { body: created, ...(typeof location === 'string' ? { location } : {}) };
    });
    if (value.location !== undefined) reply.header('location', value.location);
    if (isReplay) reply.header('idempotent-replayed', 'true');
    return value.body;
  }

  add<B, Q>(endpoint: Endpoint<B, Q>): void {
    const { method, path, body, query, status, handle } = endpoint;
    const onRequest = this.#guard[endpoint.access];
    this.all.push(endpoint);
    const route: RouteOptions = {
      method,
      url: path,
      config: { needsBody: needsBody(endpoint) },
      onRequest,
      handler: async (request, reply) => {
        // Process a longer one at once, so that other calls do not wait for several of them.
        if (body !== undefined && Number(request.headers['content-length']) <= shortBodyMax) await this.#turns.next();
        if (status !== undefined) reply.status(status);
        const call: ApiCall<B, Q> = {
          body: (body === undefined ? undefined : parse(body, request.body)) as B,
          query: (query === undefined ? undefined : parse(query, request.query)) as Q,
          params: request.params as Record<string, string>,
          caller: request.caller as Caller,
          request,
          reply,
          gone: request.gone,
        };
        const key = isCreating(endpoint) ? request.headers['idempotency-key'] : undefined;
        const answer: unknown = await (key === undefined
          ? handle(call)
          : this.#once(String(key), call, () => handle(call)));
        // The response to a large request is usually large, too.
        const isLarge = Number(request.headers['content-length']) >= largeBodyMin;
        return isLarge && answer !== reply && isObject(answer) ? sendInParts(reply, answer) : answer;
      },
    };
    const { form } = endpoint;
    if (form === undefined) {
      this.#app.route(route);
      return;
    }
    // In its own scope, so that no other endpoint accepts forms.
    this.#app.register(async (scope) => {
      form.plugin(scope);
      scope.route(route);
    });
  }
}
