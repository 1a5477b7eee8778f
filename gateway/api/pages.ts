/** The two consoles: their pages, their files, and their settings. */

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import type { Endpoints } from './endpoint.ts';
import { type Encoding, encodings, type PageFile, PageFiles } from './page-files.ts';
import type { ApiParts } from './parts.ts';
import { type ReferenceDocument, referencePage } from './reference-page.ts';
import { demoLimits } from './routes/demo.ts';

const pages: Readonly<Record<string, string>> = {
  '/console/': 'test-console/index.html',
  '/admin/': 'admin/index.html',
};

/**
 * Same origin only, nothing inline, no framing, and text never becomes markup: Trusted Types without a policy make the
 * browser reject `innerHTML` and the like (W3C CSP 3, W3C Trusted Types).
 */
const pageFields = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Delay before page files are prepared, unless a visitor comes first; a short run saves these 0.5 s of CPU. */
const prepareMs = 30_000;

/**
 * GET /console/, /admin/, /docs/ and their files below /assets/. They are read some time after the start, or at the
 * first request. `reference` builds the OpenAPI document.
 */
export function servePages(app: FastifyInstance, reference: () => unknown): void {
  let made: PageFiles | undefined;
  const files = (): PageFiles => {
    made ??= new PageFiles();
    return made;
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    // A file that cannot be prepared fails the first request for it.
    const prepare = async () => files().prepare();
    timer = setTimeout(() => void prepare().catch(() => undefined), prepareMs).unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));

  for (const [address, path] of Object.entries(pages)) {
    app.get(address, async (request, reply) => {
      reply.headers(pageFields);
      return send(request, reply, { file: files().page(path), cache: 'no-cache' });
    });
    app.get(address.slice(0, -1), (_request, reply) => reply.redirect(address, 308));
  }
  app.get('/docs/', async (request, reply) => {
    reply.headers(pageFields);
    const content = () =>
      referencePage(reference() as ReferenceDocument, {
        mark: files().address('shared/privet.svg'),
        origin: '$PRIVET_URL',
      });
    return send(request, reply, { file: files().page('reference/index.html', content), cache: 'no-cache' });
  });
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 308));
  app.get('/', (_request, reply) => reply.redirect('/console/', 302));

  app.get('/assets/:build/*', async (request, reply) => {
    const { build, '*': path } = request.params as { build: string; '*': string };
    const file = files().file(path);
    if (file === undefined) throw new PrivetError('not_found', 'Not found.');
    // A page of another version requests its own build (briefly, behind a load balancer): it gets this one, uncached.
    const cache = build === files().build ? 'public, max-age=31536000, immutable' : 'no-cache';
    return send(request, reply, { file, cache });
  });
}

const settings = z.object({
  version: z.string(),
  demo: z.object({
    isOn: z.boolean(),
    callsPerMinute: z.int(),
    textLengthMax: z.int(),
    dictionaryEntriesMax: z.int(),
  }),
  proxy: z
    .object({ host: z.string().nullable().describe('null: all addresses of the machine'), port: z.int() })
    .nullable(),
});
export type Settings = z.infer<typeof settings>;

/** GET /console/settings: what a page needs to know about the gateway. */
export function pageSettingsRoutes(endpoints: Endpoints, parts: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/console/settings',
    group: 'state',
    summary: 'Settings for the consoles: the version, the proxy, the demo.',
    access: 'open',
    answer: settings,
    handle() {
      const { isOn, callsPerMinute = demoLimits.callsPerMinute } = parts.demo();
      const proxy = parts.proxyAddress?.();
      const isAny = proxy !== undefined && ['0.0.0.0', '::'].includes(proxy.host);
      return {
        version: parts.version,
        demo: { ...demoLimits, isOn, callsPerMinute },
        proxy: proxy === undefined ? null : { host: isAny ? null : proxy.host, port: proxy.port },
      };
    },
  });
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, cache }: { file: PageFile; cache: string },
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const body = await file.bytes(encoding);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.headers({ 'cache-control': cache, vary: 'Accept-Encoding', etag });
  if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(file.type).send(body);
}

/** The best content coding that a client accepts (RFC 9110 §12.5.3); q=0 means not accepted. */
export function encodingFor(field: string | undefined): Encoding {
  const taken = new Map(
    (field ?? '').split(',').map((item) => {
      const [name = '', ...parameters] = item
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))] as const;
    }),
  );
  return encodings.find((encoding) => taken.get(encoding) ?? taken.get('*') ?? false) ?? 'identity';
}
