/** The API reference (OpenAPI 3.1), generated from the endpoints. */
import { z } from 'zod';
import { type EndpointDescription, type Endpoints, needsBody } from './endpoint.ts';
import { cookieName } from './sign-in.ts';

const errorSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    details: z.unknown().optional(),
    requestId: z.string(),
  }),
});

/** Meaning of each status, for all endpoints. */
const errors: Readonly<Record<string, string>> = {
  400: 'Not JSON.',
  401: 'No key, or an unknown one.',
  402: 'The credits of the month are used up.',
  403: 'The key or the plan does not allow it.',
  404: 'Not found.',
  409: 'Already taken, or changed by somebody else meanwhile.',
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

/** The OpenAPI document. */
function openApi(endpoints: readonly EndpointDescription[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([a-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Privet',
      version,
      description: 'Finds personal data in texts, puts tokens in its place, and puts the values back.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'pvt_live_…, pvt_test_… or pvt_admin_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName,
          description: 'Of POST /admin/login; everything but GET needs its csrf as x-csrf-token too.',
        },
      },
      schemas: { Error: schemaOf(errorSchema, 'output') },
    },
  };
}

function operation(endpoint: EndpointDescription): Record<string, unknown> {
  const { method, path, group, summary, access, query, answer, status = 200 } = endpoint;
  const body = endpoint.body ?? endpoint.described;
  const answerType = endpoint.answerType ?? 'application/json';
  const content = answer === undefined ? {} : schemaOf(answer, 'output');
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/:.-]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [group],
    summary,
    ...(access === 'open' ? {} : { security: access === 'admin' ? [{ key: [] }, { session: [] }] : [{ key: [] }] }),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: needsBody(endpoint),
            content: { [endpoint.form?.type ?? 'application/json']: { schema: schemaOf(body, 'input') } },
          },
        }),
    responses: {
      [status]:
        status === 204
          ? { description: 'Done.' }
          : { description: 'Done.', content: { [answerType]: { schema: content } } },
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

function statusesOf({ method, access, body, described, path, group, refusals = [] }: EndpointDescription): string[] {
  const isMetered = access === 'key' && method !== 'GET';
  const hasBody = body !== undefined || described !== undefined;
  const wanted: [code: string, applies: boolean][] = [
    ['400', hasBody],
    ['401', access !== 'open'],
    ['402', isMetered],
    ['403', access !== 'open'],
    ['404', path.includes(':') || group === 'mask' || group === 'rag' || group === 'chat'],
    ['409', group === 'registry' && method !== 'GET'],
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

function pathParameters(path: string): unknown[] {
  const names = [...path.matchAll(/:([a-z]+)/g)].map((match) => match[1]);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(query: z.ZodType | undefined): unknown[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Bounds that apply to every JavaScript number, and the long pattern of a timestamp, are noise to readers.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return rest;
}
