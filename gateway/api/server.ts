/**
 * The API listener: endpoints in groups, with one place that authenticates and one that turns errors into responses.
 */

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { PrivetError } from '../../core/errors.ts';
import { shortJsonWeightMax, weighJson } from '../../core/payload/json-weight.ts';
import type { Log } from '../observe/log.ts';
import { Replicas } from '../observe/replicas.ts';
import { FairSemaphore } from '../threads/fair-semaphore.ts';
import { LargeTurns, largeBodyMin } from '../threads/large-turns.ts';
import { Callers } from './auth.ts';
import { Billing } from './billing.ts';
import { clientAddress, withoutPort } from './client-address.ts';
import { allowOrigins } from './cors.ts';
import { Detectors } from './detectors.ts';
import { Endpoints } from './endpoint.ts';
import { asPrivetError, errorBody, errorFields, rawErrorAnswer } from './errors.ts';
import { FastPath } from './fast-path.ts';
import { shortBodyMax } from './fast-request.ts';
import { Idempotency } from './idempotency.ts';
import { openApi, openApiRoute } from './openapi.ts';
import { pageSettingsRoutes, servePages } from './pages.ts';
import type { ApiDeps, ApiParts } from './parts.ts';
import { refusedKey } from './refused-keys.ts';
import { accountRoutes } from './routes/account.ts';
import { adminRoutes } from './routes/admin.ts';
import { agentRoutes } from './routes/agents.ts';
import { caRoutes } from './routes/ca.ts';
import { chatRoutes } from './routes/chat.ts';
import { demoRoutes } from './routes/demo.ts';
import { demoSandboxRoutes } from './routes/demo-sandbox.ts';
import { detectRoutes } from './routes/detect.ts';
import { discoveryRoutes } from './routes/discovery.ts';
import { eventRoutes } from './routes/events.ts';
import { exceptionRoutes } from './routes/exceptions.ts';
import { feedRoutes } from './routes/feeds.ts';
import { healthRoutes, licenseRoutes } from './routes/health.ts';
import { injectionRoutes } from './routes/injection.ts';
import { keyRoutes } from './routes/keys.ts';
import { labelRoutes } from './routes/labels.ts';
import { maskRoutes } from './routes/mask.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { overviewRoutes } from './routes/overview.ts';
import { pinRoutes } from './routes/pins.ts';
import { policyRoutes } from './routes/policy.ts';
import { ragRoutes } from './routes/rag.ts';
import { replicaRoutes } from './routes/replicas.ts';
import { reportRoutes } from './routes/report.ts';
import { servicesAdminRoutes } from './routes/services-admin.ts';
import { shadowAiRoutes } from './routes/shadow-ai.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { statsRoutes } from './routes/stats.ts';
import { tenantRoutes } from './routes/tenants.ts';
import { typeRoutes } from './routes/types.ts';
import { uploadRoutes } from './routes/upload.ts';
import { userRoutes } from './routes/users.ts';
import { ConsoleSessions } from './sign-in.ts';
import { Turns } from './turns.ts';

const bodyBytesMax = 10 * 1024 * 1024;
const connectionsMax = 10_000;

export type Api = {
  /** Starts listening; returns the actual address. Rejects with the system's error (EADDRINUSE, EACCES …). */
  listen(): Promise<{ host: string; port: number }>;
  /** Stops accepting, closes idle connections and live views, and waits up to `drainMs` for running requests. */
  close(drainMs: number): Promise<void>;
  /** For tests and for further route groups. */
  readonly app: FastifyInstance;
};

/** Fields of every response: no caching, no framing, no MIME sniffing. */
const securityFields = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** What a Privet gateway adds to Via (gateway/gateway.ts). */
const passedGateway = /\bprivet-[0-9a-f]{12}\b/;

/** Builds the API; it listens only after `listen()`. */
export function createApi(deps: ApiDeps): Api {
  const app = fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: (address) => deps.trustedProxies().has(withoutPort(address)),
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // While draining, requests on open connections are still answered, and the connection closes afterwards.
    return503OnClosing: false,
    // A request without Host is rejected below, with our own error.
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 15_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 300 },
    // validate.ts checks bodies, and no route has a JSON schema. Without these stubs Fastify would load its schema
    // compilers, 25 to 30 ms of start-up.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Fastify handles routed requests only; input that never becomes a request is answered here.
    clientErrorHandler: (error, socket) => {
      if (socket.writable && !socket.destroyed) socket.end(rawErrorAnswer(error, randomUUID()));
      else socket.destroy();
    },
    frameworkErrors: (error, request, reply) => void sendError(deps.log, error, request, reply),
  });
  app.server.maxConnections = connectionsMax;
  // A client may half-close after sending its requests and still gets the responses (RFC 9112 §9.6). Node supports this
  // option, its types do not.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  // Ignore an expectation that Node does not know (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(securityFields);
    done(unservable(request, reply));
  });
  // One line for a request costs more than a short call, so `info` has none.
  const logged = deps.log.isLevelEnabled('debug') ? requestLog(deps.log) : undefined;
  if (logged !== undefined) logRequests(app, logged);
  admitLarge(app, new FairSemaphore(largeBodies));
  const parseJson = readJsonOnly(app, new LargeTurns());
  allowOrigins(app, deps.uiOrigins);
  const methodsAt = collectMethods(app);
  app.setErrorHandler((error, request, reply) => sendError(deps.log, error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    const allowed = methodsAt(request.url);
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '));
      throw new PrivetError('method_not_allowed', `This URL supports ${allowed.join(', ')}.`);
    }
    throw new PrivetError('not_found', 'Not found.', { hint: 'GET /openapi.json lists all calls.' });
  });
  const { accounts } = deps;
  const consoleSessions = new ConsoleSessions({ stores: deps.stores, log: deps.log });
  const callers = new Callers(accounts, consoleSessions, (address) => deps.trustedProxies().has(withoutPort(address)));
  const turns = new Turns();
  const endpoints = new Endpoints(app, {
    turns,
    idempotency: new Idempotency(deps.stores.vault),
    key: callers.require('any'),
    admin: callers.require('admin'),
  });
  const replicas = new Replicas(deps);
  const billing = new Billing(deps);
  const closing = new AbortController();
  const parts: ApiParts = {
    ...deps,
    billing,
    detectors: new Detectors(deps.stores.secret),
    consoleSessions,
    callers,
    replicas,
    closing: closing.signal,
  };
  for (const add of groups) add(endpoints, parts);
  openApiRoute(endpoints, deps.version);
  servePages(app, () => openApi(endpoints.all, deps.version));
  const fastPath = new FastPath(app.server, {
    paths: endpoints.short,
    callers,
    turns,
    parseJson,
    refuse: (error, requestId, given) => refusal(deps.log, error, { requestId, given }),
    fields: { ...securityFields, ...(deps.uiOrigins.length > 0 ? { vary: 'Origin' } : {}) },
    answered:
      logged &&
      (({ requestId, path, startedAt }, status) =>
        logged({ requestId, method: 'POST', route: path, status, ms: performance.now() - startedAt })),
  });
  return {
    app,
    async listen() {
      const { host, port } = deps.listen;
      await app.listen({ host, port, backlog: 4_096, ...(deps.sharesPort ? { reusePort: true } : {}) });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('the API has no network address');
      replicas.start();
      return { host: address.address, port: address.port };
    },
    async close(drainMs) {
      closing.abort();
      // Node closes connections that are idle now, but not those that become idle after their response.
      const idle = setInterval(() => app.server.closeIdleConnections(), 100);
      const late = setTimeout(() => {
        app.server.closeAllConnections();
        fastPath.close();
      }, drainMs).unref();
      fastPath.drain();
      await app.close();
      clearTimeout(late);
      clearInterval(idle);
      await replicas.close();
    },
  };
}

function noSchemas(): never {
  throw new Error('a route has a JSON schema');
}

/** The reason a request is not served, whatever its URL. */
function unservable({ headers, raw }: FastifyRequest, reply: FastifyReply): PrivetError | undefined {
  // Clients of the proxy must not reach the API; a gateway in front of this one may not recognise our address as its
  // own.
  if (headers.via !== undefined && passedGateway.test(headers.via)) {
    return new PrivetError('forbidden', 'The API is not served through the proxy.');
  }
  // RFC 9112 §3.2.
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    reply.header('connection', 'close');
    return new PrivetError('bad_request', 'The Host field is missing.');
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && !/^(?:identity)?$/i.test(coding)) {
    return new PrivetError('unsupported_media_type', 'The Content-Encoding is not supported.', {
      hint: 'Send the body as it is, without compression.',
    });
  }
  return undefined;
}

const groups: readonly ((endpoints: Endpoints, parts: ApiParts) => void)[] = [
  healthRoutes,
  metricsRoutes,
  detectRoutes,
  typeRoutes,
  maskRoutes,
  injectionRoutes,
  ragRoutes,
  chatRoutes,
  uploadRoutes,
  accountRoutes,
  demoRoutes,
  demoSandboxRoutes,
  signInRoutes,
  keyRoutes,
  userRoutes,
  adminRoutes,
  eventRoutes,
  policyRoutes,
  exceptionRoutes,
  reportRoutes,
  statsRoutes,
  overviewRoutes,
  labelRoutes,
  feedRoutes,
  shadowAiRoutes,
  discoveryRoutes,
  pinRoutes,
  agentRoutes,
  caRoutes,
  servicesAdminRoutes,
  tenantRoutes,
  licenseRoutes,
  replicaRoutes,
  pageSettingsRoutes,
];

function sendError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asPrivetError(error);
  if (!reply.raw.destroyed) logFailure(log, known, { requestId: request.id, error });
  // Fastify would close the connection at once, and a client that is still sending would see a reset instead of the
  // response. Read and discard its data instead, for up to the request timeout.
  if (known.code === 'body_too_large') reply.removeHeader('connection');
  const fields = errorFields(known, reply.hasHeader('retry-after'));
  reply.header('x-request-id', request.id).headers(fields).status(known.status);
  return reply.send(errorBody(known, request.id));
}

/** The same for a short call; `given`: fields already set on its response. */
function refusal(
  log: Log,
  error: unknown,
  { requestId, given }: { readonly requestId: string; readonly given: Readonly<Record<string, string>> },
): { status: number; fields: Record<string, string>; body: unknown } {
  const known = asPrivetError(error);
  logFailure(log, known, { requestId, error });
  const fields = { ...given, ...errorFields(known, given['retry-after'] !== undefined) };
  return { status: known.status, fields, body: errorBody(known, requestId) };
}

function logFailure(log: Log, { status }: PrivetError, about: { readonly requestId: string; readonly error: unknown }) {
  if (status >= 500) log.error({ event: 'api_error', ...about }, 'an API request failed');
}

type Answered = { requestId: string; method: string; route: string | null; status: number; ms: number };

/** Logs responses by route: a path may hold an identifier, a query anything. */
function requestLog(log: Log): (answered: Answered) => void {
  return ({ requestId, method, route, status, ms }) => {
    const durationMs = Math.round(ms * 100) / 100;
    const fields = { event: 'api_request', method, route, status, durationMs, requestId };
    log.debug(fields, 'an API request was answered');
  };
}

function logRequests(app: FastifyInstance, logged: (answered: Answered) => void): void {
  app.addHook('onResponse', async ({ id, method, routeOptions }, { statusCode, elapsedTime }) => {
    logged({ requestId: id, method, route: routeOptions.url ?? null, status: statusCode, ms: elapsedTime });
  });
}

/** Total size in bytes of the large bodies being read or processed; each takes up to five times as much memory. */
const largeBodies = {
  max: 32 * 1024 * 1024,
  waitingMax: 32,
  waitMs: 20_000,
  message: 'Too many large requests are being processed.',
};

/** Watches whether the clients of longer bodies leave. Large ones wait for memory; without a length, one counts as the largest. */
function admitLarge(app: FastifyInstance, semaphore: FairSemaphore): void {
  app.decorateRequest('gone', undefined);
  app.addHook('preParsing', async (request, { raw }, payload) => {
    const { headers } = request;
    const isChunked = headers['content-length'] === undefined && headers['transfer-encoding'] !== undefined;
    const bytes = isChunked ? bodyBytesMax : Number(headers['content-length'] ?? 0);
    if (!(bytes > shortBodyMax) || bytes > bodyBytesMax) return payload;
    const gone = new AbortController();
    request.gone = gone.signal;
    raw.once('close', () => gone.abort());
    // The client may have left while its key was looked up.
    if (raw.destroyed) gone.abort();
    if (bytes < largeBodyMin) return payload;
    const release = await semaphore.acquire(bytes, clientAddress(request), gone.signal);
    if (gone.signal.aborted) release();
    else gone.signal.addEventListener('abort', release, { once: true });
    return payload;
  });
}

/** No call needs so many, and parsing them would delay other requests. */
function tooManyParts(): PrivetError {
  return new PrivetError(
    'body_too_large',
    'The body has too many values, names, lists and objects, or nests them too deeply.',
  );
}

/**
 * JSON is the only body type, except for uploads; a request that needs no body may declare JSON and send nothing.
 * Returns the body parser, which throws the same errors as Fastify.
 */
function readJsonOnly(app: FastifyInstance, large: LargeTurns): (body: string) => unknown {
  const parseSafe = app.getDefaultJsonParser('error', 'error');
  const parse: typeof parseSafe = (request, body, done) => {
    if (weighJson(String(body), shortJsonWeightMax) !== 'light') done(tooManyParts());
    else parseSafe(request, body, (error, value) => done(error && (refusedKey(body) ?? error), value));
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 && !request.routeOptions.config.needsBody) done(null, undefined);
    // Invalid UTF-8 would not be returned unchanged (RFC 8259 §8.1).
    else if (!isUtf8(body)) done(new PrivetError('invalid_json', 'The body is not UTF-8.'));
    else if (body.length < largeBodyMin) parse(request, body.toString(), done);
    else {
      const client = { client: clientAddress(request), gone: request.gone };
      large.turn(() => parse(request, body.toString(), done), client).catch(done);
    }
  });
  return (body) => {
    let read: unknown;
    // The parser neither uses the request nor runs asynchronously.
    void parse(undefined as unknown as FastifyRequest, body, (error, value) => {
      if (error) throw error;
      read = value;
    });
    return read;
  };
}

/** Records every route added after it; the result lists the methods of a URL. */
function collectMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll('.', '\\.')
        .replace(/:[a-z]+/gi, '[^/]+')
        .replace(/\*$/, '.+')}$`,
    );
    routes.push({ pattern, methods: [method].flat() });
  });
  return (url) => {
    const path = url.split('?', 1)[0] as string;
    return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))].sort();
  };
}
