/**
 * What an endpoint is: method, path, who may call it, what its body looks like, and what it does. One description gives
 * the route, the checks and the entry of /openapi.json.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import type { Caller } from '../stores/accounts.ts';
import { parse } from './validate.ts';

/** Who may call: anybody, whoever has a key, administrators. */
export type Access = 'open' | 'key' | 'admin';

/** Where an endpoint stands in the reference. */
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

/** One call of an endpoint, checked. */
export type ApiCall<B, Q> = {
  readonly body: B;
  readonly query: Q;
  readonly params: Readonly<Record<string, string>>;
  /** The tenant `''` of nobody on open endpoints. */
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** One endpoint. */
export type Endpoint<B = unknown, Q = unknown> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/admin/keys/:id` */
  readonly path: string;
  readonly group: Group;
  readonly summary: string;
  readonly access: Access;
  readonly body?: z.ZodType<B>;
  /** A body that the handler reads and checks by itself; described only. */
  readonly described?: z.ZodType;
  /** The type of a described body when it is not JSON. */
  readonly describedType?: string;
  readonly query?: z.ZodType<Q>;
  /** What is answered; described, not checked. */
  readonly answer?: z.ZodType;
  /** The type of the answer when it is not JSON. */
  readonly answerType?: string;
  /** Default 200. */
  readonly status?: number;
  readonly handle: (call: ApiCall<B, Q>) => unknown;
};

/** An endpoint as the reference shows it. */
export type EndpointDescription = Omit<Endpoint, 'handle'>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The endpoint reads a body. */
    hasBody?: boolean;
  }
}

/** Adds endpoints to the server and remembers them for the reference. */
export class Endpoints {
  readonly #app: FastifyInstance;
  readonly #guard: Readonly<Record<Access, ((request: FastifyRequest) => Promise<void>) | undefined>>;
  readonly all: EndpointDescription[] = [];

  constructor(
    app: FastifyInstance,
    guard: Readonly<Record<'key' | 'admin', (request: FastifyRequest) => Promise<void>>>,
  ) {
    this.#app = app;
    this.#guard = { open: undefined, ...guard };
    app.decorateRequest('caller', null);
  }

  add<B, Q>(endpoint: Endpoint<B, Q>): void {
    const { method, path, body, query, status, handle } = endpoint;
    const onRequest = this.#guard[endpoint.access];
    this.all.push(endpoint);
    this.#app.route({
      method,
      url: path,
      config: { hasBody: body !== undefined || endpoint.described !== undefined },
      ...(onRequest === undefined ? {} : { onRequest }),
      handler: (request, reply) => {
        if (body !== undefined && request.isMultipart()) throw notJson();
        if (status !== undefined) reply.status(status);
        return handle({
          body: (body === undefined ? undefined : parse(body, request.body)) as B,
          query: (query === undefined ? undefined : parse(query, request.query)) as Q,
          params: request.params as Record<string, string>,
          caller: request.caller as Caller,
          request,
          reply,
        });
      },
    });
  }
}

/** Forms can be read since /upload takes them; nothing else does. */
function notJson(): PrivetError {
  return new PrivetError('unsupported_media_type', 'The Content-Type is not supported.');
}
