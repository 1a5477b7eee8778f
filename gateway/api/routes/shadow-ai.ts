/**
 * The registry of AI services: read, change, and ask what the policy says about an address. With the admin key only.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { normalizeHost } from '../../../policy/host.ts';
import { categories, type Service } from '../../../policy/service.ts';
import { requireAdmin } from '../auth.ts';
import type { ApiDeps } from '../server.ts';

const listQuery = z.strictObject({
  category: z.enum(categories).optional(),
  kind: z.string().max(50).optional(),
  q: z.string().max(200).optional(),
});

const checkBody = z
  .strictObject({ url: z.string().min(1).max(8192).optional(), hostname: z.string().min(1).max(1024).optional() })
  .refine(({ url, hostname }) => (url === undefined) !== (hostname === undefined), 'give either url or hostname');

type ById = { Params: { id: string } };

/** GET and POST /shadow-ai/services; GET, PATCH and DELETE /shadow-ai/services/:id; POST /shadow-ai/check. */
export function shadowAiRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const onRequest = requireAdmin((key) => deps.verifyAdminKey(key));
  const writer = () => deps.registryWriter ?? deps.registry;

  app.get('/shadow-ai/services', { onRequest }, async (request) => {
    const { category, kind, q } = parse(listQuery, request.query);
    const text = q?.trim().toLowerCase();
    const services = deps.registry
      .list()
      .filter((service) => category === undefined || service.category === category)
      .filter((service) => kind === undefined || service.kind === kind)
      .filter((service) => !text || mentions(service, text));
    return { services, total: services.length };
  });

  app.post('/shadow-ai/services', { onRequest }, async (request, reply) => {
    const service = await writer().add(request.body);
    await deps.onRegistryChange();
    log('added', service.id, request.id);
    return reply.status(201).header('location', `/shadow-ai/services/${service.id}`).send(service);
  });

  app.get<ById>('/shadow-ai/services/:id', { onRequest }, async (request) => {
    const service = deps.registry.get(request.params.id);
    if (service === undefined) throw new PrivetError('not_found', 'There is no service with this id.');
    return service;
  });

  app.patch<ById>('/shadow-ai/services/:id', { onRequest }, async (request) => {
    const service = await writer().update(request.params.id, request.body);
    await deps.onRegistryChange();
    log('changed', service.id, request.id);
    return service;
  });

  app.delete<ById>('/shadow-ai/services/:id', { onRequest }, async (request, reply) => {
    const { id } = request.params;
    await writer().remove(id);
    await deps.onRegistryChange();
    log('removed', id, request.id);
    return reply.status(204).send();
  });

  app.post('/shadow-ai/check', { onRequest }, async (request) => {
    const body = parse(checkBody, request.body);
    const target = body.url === undefined ? { host: hostOf(body.hostname ?? ''), port: 443 } : targetOf(body.url);
    const decision = deps.policy().decide(target);
    const match = deps.registry.match(target.host, target.path);
    return {
      detected: match !== undefined,
      hostname: match?.service.domain ?? null,
      service: match?.service.service_name ?? null,
      action: decision.action,
      category: match?.service.category ?? null,
      matchedHost: match?.matchedHost ?? null,
      rule: decision.rule,
      reason: decision.reason,
    };
  });

  function log(change: 'added' | 'changed' | 'removed', service: string, requestId: string): void {
    deps.log.info({ event: 'registry_change', change, service, requestId }, 'the registry was changed over the API');
  }
}

function mentions(service: Service, text: string): boolean {
  const { service_name, domain, alternate_domains, vendor = '' } = service;
  return [service_name, domain, vendor, ...alternate_domains].some((value) => value.toLowerCase().includes(text));
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  const summary = details.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
  throw new PrivetError('invalid_input', `The request is not valid: ${summary}.`, { details });
}

type CheckTarget = { readonly host: string; readonly port: number; readonly path?: string };

/** A URL, or host[:port][/path] as people write it. Without a path that is the root, as a browser would ask for it. */
function targetOf(text: string): CheckTarget {
  const trimmed = text.trim();
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
  if (url === undefined || url.hostname === '') throw invalidField('url', 'is not a URL');
  const plainPort = url.protocol === 'http:' || url.protocol === 'ws:' ? 80 : 443;
  return { host: hostOf(url.hostname, 'url'), port: Number(url.port) || plainPort, path: url.pathname };
}

function hostOf(text: string, field = 'hostname'): string {
  try {
    return normalizeHost(text.trim()).host;
  } catch (error) {
    throw invalidField(field, 'is not a host name or address', error);
  }
}

function invalidField(field: string, message: string, cause?: unknown): PrivetError {
  const details = [{ field, message }];
  return new PrivetError('invalid_input', `The request is not valid: ${field}: ${message}.`, { details, cause });
}
