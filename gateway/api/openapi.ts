/** The API reference (OpenAPI 3.1), generated from the endpoints. */
import { z } from 'zod';
import { type EndpointDescription, type Endpoints, type Group, isCreating, needsBody } from './endpoint.ts';
import { examples } from './examples.ts';
import { cookieName } from './sign-in.ts';

const errorSchema = z
  .object({
    error: z.object({
      code: z.string().describe('Stable; the message is for people.'),
      message: z.string(),
      hint: z.string().optional(),
      details: z.unknown().optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error' });

const groups: Readonly<Record<Group, string>> = {
  detect: 'Find personal data in texts.',
  mask: 'Replace personal data with tokens, and tokens with their values.',
  injection: 'Check texts for instructions to a model and for attacks on a database.',
  rag: 'Documents for retrieval without personal data.',
  chat: 'Ask models that never see a value.',
  account: 'The credits of a key.',
  demo: 'The same calls without a key, for short texts.',
  admin: 'For administrators: keys, events, policy, certificates.',
  registry: 'The registry of AI services, and what the policy says about an address.',
  state: 'Health, metrics and this reference.',
};

/** Meaning of each status, for all endpoints. */
const errors: Readonly<Record<string, string>> = {
  400: 'Not JSON.',
  401: 'No key, or an unknown one.',
  402: 'The credits of the month are used up.',
  403: 'The key or the plan does not allow it.',
  404: 'Not found.',
  409: 'Already taken, or changed by someone else in the meantime.',
  413: 'The body is too large.',
  415: 'The Content-Type is not supported.',
  422: 'A field is invalid; `details` lists the fields.',
  429: 'Too many requests; see Retry-After and RateLimit.',
  500: 'The gateway failed; its log has the request id.',
  501: 'Not supported by the configuration of this gateway.',
  502: 'An upstream server refused, or sent an invalid response.',
  503: 'The store or a provider is unavailable; see Retry-After.',
  504: 'An upstream server did not respond in time.',
};

/** Adds GET /openapi.json. Generated at the first request. */
export function openApiRoute(endpoints: Endpoints, version: string): void {
  let document: string | undefined;
  endpoints.add({
    method: 'GET',
    path: '/openapi.json',
    group: 'state',
    summary: 'This reference.',
    access: 'open',
    handle({ reply }) {
      document ??= JSON.stringify(openApi(endpoints.all, version));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  });
}

export function openApi(endpoints: readonly EndpointDescription[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas = new Schemas();
  schemas.of(errorSchema, 'output');
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Privet',
      version,
      description: 'Finds personal data in texts, replaces it with tokens, and restores the values.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:3001', description: 'The default listener; HOST and PORT choose another.' }],
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({ name, description: groups[name] })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'pvt_live_…, pvt_test_… or pvt_admin_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName,
          description: 'From POST /admin/login; every method but GET also needs its csrf as x-csrf-token.',
        },
      },
      schemas: schemas.named,
    },
  };
}

function pathOf({ path }: EndpointDescription): string {
  return path.replace(/:([a-z]+)/g, '{$1}');
}

function operation(endpoint: EndpointDescription, schemas: Schemas): Record<string, unknown> {
  const { method, path, group, summary, access, query, answer, events, status = 200 } = endpoint;
  const body = endpoint.body ?? endpoint.described;
  const answerType = endpoint.answerType ?? 'application/json';
  const example = examples[`${method} ${pathOf(endpoint)}`] ?? {};
  const answerContent = {
    [answerType]: {
      schema: answer === undefined ? {} : schemas.of(answer, 'output'),
      example: example.answer,
    },
    ...(events === undefined ? {} : { 'text/event-stream': { schema: schemas.of(events, 'output') } }),
  };
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:.-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [group],
    summary,
    security: access === 'open' ? [] : access === 'admin' ? [{ key: [] }, { session: [] }] : [{ key: [] }],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query, schemas),
      ...(isCreating(endpoint) ? [idempotencyKey] : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: needsBody(endpoint),
            content: {
              [endpoint.form?.type ?? 'application/json']: {
                schema: schemas.of(body, 'input'),
                example: example.body,
              },
            },
          },
        }),
    responses: {
      [status]: status === 204 ? { description: 'Done.' } : { description: 'Done.', content: answerContent },
      ...Object.fromEntries(
        statusesOf(endpoint).map((code) => [
          code,
          {
            description: errors[code],
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

function statusesOf(endpoint: EndpointDescription): string[] {
  const { method, access, body, described, path, group, refusals = [] } = endpoint;
  const isMetered = access === 'key' && method !== 'GET';
  const hasBody = body !== undefined || described !== undefined;
  const wanted: [code: string, applies: boolean][] = [
    ['400', hasBody],
    ['401', access !== 'open'],
    ['402', isMetered],
    ['403', access !== 'open'],
    ['404', path.includes(':') || group === 'mask' || group === 'rag' || group === 'chat'],
    ['409', (group === 'registry' && method !== 'GET') || isCreating(endpoint)],
    ['413', hasBody],
    ['415', hasBody],
    ['422', true],
    ['429', isMetered || group === 'demo'],
    ['500', true],
    ['502', group === 'chat'],
    ['503', true],
    ['504', group === 'chat'],
  ];
  const follow = wanted.flatMap(([code, applies]) => (applies ? [code] : []));
  return [...new Set([...follow, ...refusals.map(String)])].sort();
}

/** For requests whose response may get lost. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repeated within an hour, the request returns the first response and creates nothing new.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function pathParameters(path: string): unknown[] {
  const names = [...path.matchAll(/:([a-z]+)/g)].map((match) => match[1]);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(query: z.ZodType | undefined, schemas: Schemas): unknown[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemas.of(query, 'input') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

/** Schemas as JSON. Those with an id (`.meta({ id })`) become components, so that generated clients have names for them. */
class Schemas {
  readonly named: Record<string, unknown> = {};

  /** @throws Error when two different schemas have one id */
  of(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
    const { $schema: _dialect, $defs = {}, ...json } = inComponents(schemaOf(schema, io));
    for (const [id, component] of Object.entries($defs as object)) {
      if (this.named[id] !== undefined && JSON.stringify(this.named[id]) !== JSON.stringify(component)) {
        throw new Error(`two schemas have the id ${id}`);
      }
      this.named[id] = component;
    }
    return json;
  }
}

function inComponents(json: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(json).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Bounds that apply to every JavaScript number, and the long pattern of a timestamp, are noise to readers.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
