/**
 * The API reference as a page without scripts: every call with its fields, a working command and its response.
 * Generated from the OpenAPI document.
 */
import { capitalized } from '../../core/wording/capitalized.ts';
import { type Html, html } from '../portal/html.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly maxLength?: number;
  readonly default?: unknown;
};
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
type Operation = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
};

/** The parts of an OpenAPI document that the page shows. */
export type ReferenceDocument = {
  readonly info: { readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
};

type Call = Operation & { readonly method: string; readonly path: string };
type Resolve = (schema: Schema | undefined) => Schema;

/** The body of the page; `origin` is the address of the API in its commands. */
export function referencePage(document: ReferenceDocument, { mark, origin }: { mark: string; origin: string }): string {
  const calls: Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  // Few readers look for health and metrics: list them last.
  const sorted = [
    ...calls.filter(({ tags }) => tags?.[0] !== 'state'),
    ...calls.filter(({ tags }) => tags?.[0] === 'state'),
  ];
  const groups = Map.groupBy(sorted, ({ tags }) => tags?.[0] ?? 'other');
  const about = new Map(document.tags?.map(({ name, description }) => [name, description]));
  const resolve: Resolve = (schema = {}) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
    return name === undefined ? schema : { ...document.components?.schemas?.[name], ...schema };
  };
  return html`<header class="head">
<a class="brand" href="/console/"><img src="${mark}" alt="" width="24" height="24"><strong>Privet</strong>
<span class="brand-part">API reference</span></a>
<span class="head-space"></span><a href="/openapi.json">openapi.json</a>
</header>
<div class="reference">
<nav class="index" aria-label="Calls">${[...groups].map(
    ([tag, members]) =>
      html`<h2>${groupTitle(tag)}</h2><ul>${members.map(
        ({ operationId, method, path }) =>
          html`<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</a></li>`,
      )}</ul>`,
  )}</nav>
<main class="calls">
<div><h1>API reference</h1>
<p>Version ${document.info.version}. ${document.info.description}</p></div>
<p>Send the key as <code>Authorization: Bearer pvt_live_…</code>. Calls below <code>/demo</code> need no key.
Errors are <code>{"error": {"code", "message", "hint", "requestId"}}</code>. Before you run a command, set the address of the
API and your key:</p>
<pre tabindex="0" aria-label="Variables of the commands"><code>export PRIVET_URL=http://127.0.0.1:3001 PRIVET_KEY=pvt_live_…</code></pre>
${[...groups].map(
  ([tag, members]) =>
    html`<h2>${groupTitle(tag)}</h2>${about.get(tag) === undefined ? '' : html`<p>${about.get(tag)}</p>`}${members.map(
      (call) => callPart(call, resolve, origin),
    )}`,
)}
</main>
</div>`.text;
}

/** `detect` as a heading. */
const groupTitle = (tag: string): string => (tag === 'rag' ? 'RAG' : capitalized(tag));

function callPart(call: Call, resolve: Resolve, origin: string): Html {
  const { operationId, method, path, summary = '', description, parameters = [], requestBody, responses } = call;
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const [, answerContent] = Object.entries(answer?.content ?? {})[0] ?? [];
  const given = parameters.map(({ name, in: place, required = false, description: text, schema }) =>
    fieldRow({ name, place, isRequired: required, schema: { ...resolve(schema), ...(text && { description: text }) } }),
  );
  const errors = Object.entries(responses).filter(([code]) => !code.startsWith('2'));
  const answered = fieldsOf(answerContent?.schema, resolve);
  const { example: sample } = answerContent ?? {};
  const example = sample === undefined ? undefined : JSON.stringify(sample, null, 2);
  return html`<article class="card call" id="${operationId}" aria-labelledby="${operationId}-name">
<h3 id="${operationId}-name"><span class="method ${method.toLowerCase()}">${method}</span><span>${path}</span></h3>
<p>${summary} ${description ?? ''} <span class="badge">${accessOf(call)}</span></p>
${table('Parameters', given)}
${table('Body', body === undefined ? [] : fieldsOf(body.schema, resolve))}
<h4>Try it</h4>
<pre tabindex="0" aria-label="Command for ${method} ${path}"><code>${command(call, { type, body, origin })}</code></pre>
<p><a href="/console/#/endpoints?call=${operationId}">Run it in the test console</a></p>
${
  answered.length === 0 && example === undefined
    ? ''
    : html`<details><summary>Response ${status}</summary>
${example === undefined ? '' : html`<pre tabindex="0" aria-label="Response of ${method} ${path}"><code>${example}</code></pre>`}
${table('Fields', answered)}</details>`
}
<details><summary>Errors</summary>
<ul>${errors.map(([code, { description: text = '' }]) => html`<li><strong>${code}</strong> ${text}</li>`)}</ul></details>
</article>`;
}

function accessOf({ security = [] }: Call): string {
  if (security.length === 0) return 'open';
  return security.some((one) => 'session' in one) ? 'admin key' : 'key';
}

function table(name: string, rows: readonly Html[]): Html | '' {
  if (rows.length === 0) return '';
  return html`<h4>${name}</h4>
<table class="fields" aria-label="${name}">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

type Field = { readonly name: string; readonly schema: Schema; readonly isRequired: boolean; readonly place?: string };

function fieldRow({ name, schema, isRequired, place }: Field): Html {
  const notes = [
    place === undefined || place === 'query' ? '' : `In the ${place}.`,
    schema.description ?? '',
    schema.default === undefined ? '' : `Default: ${JSON.stringify(schema.default)}.`,
  ];
  const mark = isRequired ? html` <span class="badge">required</span>` : '';
  const text = notes.filter(Boolean).join(' ').split('`');
  const meaning = text.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`<tr><td>${name}${mark}</td><td>${typeText(schema)}</td><td>${meaning}</td></tr>`;
}

const depthMax = 3;

/** The rows of an object and of the objects in it, by their path: `chunks[].id`. */
function fieldsOf(given: Schema | undefined, resolve: Resolve, prefix = '', depth = 0): Html[] {
  const schema = merged(resolve(given), resolve);
  const inner = schema.type === 'array' ? fieldsOf(schema.items, resolve, `${prefix}[].`, depth) : [];
  if (schema.properties === undefined || depth >= depthMax) return inner;
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const resolved = resolve(property);
    const isRequired = schema.required?.includes(name) ?? false;
    const path = `${prefix}${name}`;
    const below = resolved.type === 'array' ? resolved.items : resolved;
    const mark = resolved.type === 'array' ? '[].' : '.';
    return [
      fieldRow({ name: path, schema: resolved, isRequired }),
      ...fieldsOf(below, resolve, `${path}${mark}`, depth + 1),
    ];
  });
}

/** Merges `allOf` into one object. */
function merged(schema: Schema, resolve: Resolve): Schema {
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map(resolve);
  return {
    ...schema,
    properties: Object.assign({}, schema.properties, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined && schema.type === undefined) return schema.$ref.split('/').pop() ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const shown = schema.enum.slice(0, 8).map((value) => JSON.stringify(value));
    return schema.enum.length > 8 ? `${shown.join(' | ')} | …` : shown.join(' | ');
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' or ');
  if (schema.type === 'array')
    return `list of ${typeText(schema.items ?? {}).replace(/^(?:string|number|integer|object)\b/, '$&s')}`;
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' or ') ?? 'any');
  return schema.maxLength === undefined ? type : `${type}, up to ${schema.maxLength.toLocaleString('en')} characters`;
}

type Sent = {
  readonly type: string | undefined;
  readonly body: Content[string] | undefined;
  readonly origin: string;
};

/** The example of the call as a curl command. */
function command({ method, path, security = [], parameters = [] }: Call, { type, body, origin }: Sent): string {
  const needed = parameters.filter(({ in: place, required }) => place === 'query' && required === true);
  const query = needed.map(({ name }) => `${name}=${name === 'url' ? 'https://chatgpt.com/' : 'text'}`).join('&');
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${origin}${path}${query && `?${query}`}"`];
  if (security.length > 0) lines.push('-H "Authorization: Bearer $PRIVET_KEY"');
  if (type === 'multipart/form-data') lines.push('-F file=@document.docx');
  else if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body.example).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}
