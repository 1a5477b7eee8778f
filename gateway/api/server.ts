/**
 * The API listener: endpoints in groups, one place that checks keys, one that turns errors into answers.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { CertificateAuthority } from '../../certs/ca.ts';
import { PrivetError } from '../../core/errors.ts';
import type { CidrSet } from '../../policy/address.ts';
import type { Policy } from '../../policy/decide.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import type { Inventory } from '../agents/inventory.ts';
import type { Learning } from '../discovery/learning.ts';
import type { Feeds } from '../feeds/feeds.ts';
import type { LicenceState } from '../licence-state.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { Replicas } from '../observe/replicas.ts';
import type { Provider, ProviderName } from '../providers/provider.ts';
import type { Reports } from '../report/reports.ts';
import type { Accounts } from '../stores/accounts.ts';
import type { RegistryWriter } from '../stores/registry-file.ts';
import type { Stores } from '../stores/stores.ts';
import type { ProxyUsers } from '../users/proxy-users.ts';
import { Callers } from './auth.ts';
import { Billing } from './billing.ts';
import { withoutPort } from './client-address.ts';
import { allowOrigins } from './cors.ts';
import { Detectors } from './detectors.ts';
import { Endpoints } from './endpoint.ts';
import { asPrivetError, errorBody, errorFields, rawErrorAnswer } from './errors.ts';
import { Idempotency } from './idempotency.ts';
import { openApi, openApiRoute } from './openapi.ts';
import { pageSettingsRoutes, servePages } from './pages.ts';
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
import { healthRoutes } from './routes/health.ts';
import { injectionRoutes } from './routes/injection.ts';
import { keyRoutes } from './routes/keys.ts';
import { labelRoutes } from './routes/labels.ts';
import { licenseRoutes } from './routes/license.ts';
import { maskRoutes } from './routes/mask.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { type OverviewSources, overviewRoutes } from './routes/overview.ts';
import { pinRoutes } from './routes/pins.ts';
import { type PolicyParts, policyRoutes } from './routes/policy.ts';
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
import { ShortCalls } from './short-calls.ts';
import { ConsoleSessions } from './sign-in.ts';
import { Turns } from './turns.ts';

const bodyBytesMax = 10 * 1024 * 1024;
const connectionsMax = 10_000;
/** What the API needs of the rest; functions give what a reload has swapped in. */
export type ApiDeps = {
  readonly listen: { readonly host: string; readonly port: number };
  /** Whether other processes listen on the same port (SO_REUSEPORT). */
  readonly sharesPort?: boolean;
  readonly registry: ServiceRegistry;
  /** Makes changes of the registry durable; without it they last as long as the process. */
  readonly registryWriter?: RegistryWriter;
  readonly policy: () => Policy;
  /** The policy as a document that can be read and replaced. */
  readonly policies?: PolicyParts;
  readonly reports?: Reports;
  /** Who may sign in at the proxy. */
  readonly users?: ProxyUsers;
  readonly metrics: Metrics;
  /** The figures of all processes on this port, in the text format of Prometheus; absent where there is one. */
  readonly metricsOfAll?: () => Promise<string>;
  readonly log: Log;
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly providers: ReadonlyMap<ProviderName, Provider>;
  readonly licence: Pick<LicenceState, 'view' | 'refresh' | 'callsThisMonth'>;
  /** Whether /demo answers, and how often in a minute per address (default 30). */
  readonly demo: () => { readonly isOn: boolean; readonly callsPerMinute?: number };
  /** Reads the configuration again; what was wrong, nothing when it is in force. */
  readonly reload: () => readonly string[] | Promise<readonly string[]>;
  /** What has to hold for this process to get traffic: name of the check → whether it passes. */
  readonly checks: () => Readonly<Record<string, boolean>>;
  /** The roots that clients trust. */
  readonly ca?: CertificateAuthority;
  /** What was learned by watching: unknown AI services, and clients that reject our certificate. */
  readonly learning?: Learning;
  /** Tools, MCP servers and programs that were seen. */
  readonly agents?: Inventory;
  /** Lists that change the registry. */
  readonly feeds?: Feeds;
  /** What /admin/overview shows beside. */
  readonly overview: OverviewSources;
  /** Where the proxy listens, once it does; the test console shows it. */
  readonly proxyAddress?: () => { readonly host: string; readonly port: number } | undefined;
  readonly version: string;
  /** Who may read /metrics without a key. */
  readonly metricsAllow: () => CidrSet;
  /** Whose X-Forwarded-For is believed. */
  readonly trustedProxies: () => CidrSet;
  /** Called after a change of the registry and before its answer. */
  readonly onRegistryChange: () => void | Promise<void>;
  /** Origins of browser pages that may read answers. */
  readonly uiOrigins: readonly string[];
};

/** What the groups of endpoints work with. */
export type ApiParts = ApiDeps & {
  readonly billing: Billing;
  readonly detectors: Detectors;
  readonly consoleSessions: ConsoleSessions;
  readonly callers: Callers;
  readonly replicas: Pick<Replicas, 'list'>;
  /** Aborted when the listener closes: what has no end of its own ends then. */
  readonly closing: AbortSignal;
};

/** The API listener. */
export type Api = {
  /** Starts; answers with the address really taken. Rejects with the system's error (EADDRINUSE, EACCES …). */
  listen(): Promise<{ host: string; port: number }>;
  /** Stops accepting, closes idle connections and live views, and waits for running requests, `drainMs` at most. */
  close(drainMs: number): Promise<void>;
  /** For tests and for further route groups. */
  readonly app: FastifyInstance;
};

/** Fields of every answer: it is nobody's to keep, to frame or to guess a type for. */
const securityFields = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** What a gateway of ours adds to Via (gateway/gateway.ts). */
const passedGateway = /\bprivet-[0-9a-f]{12}\b/;

/** Builds the API; nothing listens before `listen()`. */
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
    // What comes over an open connection while the process ends is still answered, the connection closed after it.
    return503OnClosing: false,
    // A request without Host is refused below, in our words.
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 15_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 300 },
    // Bodies are checked by validate.ts and no route has a JSON schema. The compilers for those are loaded unless others are
    // given, 25 to 30 ms of the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Answers of routes only; what never becomes a request is answered here.
    clientErrorHandler: (error, socket) => {
      if (socket.writable && !socket.destroyed) socket.end(rawErrorAnswer(error, randomUUID()));
      else socket.destroy();
    },
    frameworkErrors: (error, request, reply) => void sendError(deps.log, error, request, reply),
  });
  app.server.maxConnections = connectionsMax;
  // A client that has sent all it has to say may end its side and still gets the answers (RFC 9112 §9.6 speaks of half-closed
  // connections). Node knows this setting, its types do not.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  // An expectation that Node does not know is ignored (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(securityFields);
    done(unservable(request, reply));
  });
  const parseJson = readJsonOnly(app);
  allowOrigins(app, deps.uiOrigins);
  const methodsAt = collectMethods(app);
  app.setErrorHandler((error, request, reply) => sendError(deps.log, error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    const allowed = methodsAt(request.url);
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '));
      throw new PrivetError('method_not_allowed', `This address takes ${allowed.join(', ')}.`);
    }
    throw new PrivetError('not_found', 'There is nothing at this address.');
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
  const shortCalls = new ShortCalls(app.server, {
    paths: endpoints.short,
    callers,
    turns,
    parseJson,
    refuse: (error, requestId, given) => refusal(deps.log, error, { requestId, given }),
    fields: { ...securityFields, ...(deps.uiOrigins.length > 0 ? { vary: 'Origin' } : {}) },
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
      // Node closes what is idle now, and not what becomes so when its answer has ended.
      const idle = setInterval(() => app.server.closeIdleConnections(), 100);
      const late = setTimeout(() => {
        app.server.closeAllConnections();
        shortCalls.close();
      }, drainMs).unref();
      shortCalls.drain();
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

/** Why a request is not served, whatever its address. */
function unservable({ headers, raw }: FastifyRequest, reply: FastifyReply): PrivetError | undefined {
  // Clients of the proxy have no business here; the gateway in front of this one may not know our address as its own.
  if (headers.via !== undefined && passedGateway.test(headers.via)) {
    return new PrivetError('forbidden', 'The API is not served through the proxy.');
  }
  // RFC 9112 §3.2.
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    reply.header('connection', 'close');
    return new PrivetError('bad_request', 'The field Host is missing.');
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
  // Fastify would close the connection at once, and a client that is still sending would see a reset in place of the
  // answer; what it sends is read and dropped instead, for as long as a request may take.
  if (known.code === 'body_too_large') reply.removeHeader('connection');
  const fields = errorFields(known, reply.hasHeader('retry-after'));
  reply.header('x-request-id', request.id).headers(fields).status(known.status);
  return reply.send(errorBody(known, request.id));
}

/** The same for a short call; `given`: the fields that its answer has already. */
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

/**
 * JSON is the only body that is read, but for uploads; a request that needs none may announce JSON and send nothing.
 * Returns what reads a body, and throws what Fastify would.
 */
function readJsonOnly(app: FastifyInstance): (body: string) => unknown {
  const parseSafe = app.getDefaultJsonParser('error', 'error');
  const parse: typeof parseSafe = (request, body, done) =>
    parseSafe(request, body, (error, value) => done(error && (refusedKey(body) ?? error), value));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 && !request.routeOptions.config.needsBody) done(null, undefined);
    // What is no UTF-8 would not come back as it was (RFC 8259 §8.1).
    else if (!isUtf8(body)) done(new PrivetError('invalid_json', 'The body is not UTF-8.'));
    else parse(request, body.toString(), done);
  });
  return (body) => {
    let read: unknown;
    // It neither looks at the request nor waits.
    void parse(undefined as unknown as FastifyRequest, body, (error, value) => {
      if (error) throw error;
      read = value;
    });
    return read;
  };
}

/** Notes every route added after it; the result lists the methods that an address takes. */
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
