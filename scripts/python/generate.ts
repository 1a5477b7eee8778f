/**
 * Generates a Python client from an OpenAPI document: a method per operation, a TypedDict per component. The transport
 * (client.py) is written by hand; the client has no dependencies.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema };
type Operation = {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** The used parts of an OpenAPI 3.1 document. */
export type Reference = {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const generated = '# Generated from /openapi.json by scripts/python-client.ts; do not edit.\n';

/** Writes the package with its tests into a folder. */
export function writePythonClient(reference: Reference, folder: string): void {
  const inner = join(folder, 'privet_client');
  mkdirSync(inner, { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  write('pyproject.toml', projectOf(reference.info.version));
  write('privet_client/py.typed', '');
  write(
    'privet_client/__init__.py',
    `"""Finds, masks and restores personal data with a Privet gateway."""\n\nfrom .api import Privet\n` +
      `from .client import PrivetError\n\n__all__ = ["Privet", "PrivetError"]\n`,
  );
  write('privet_client/types.py', typesOf(reference.components.schemas));
  write('privet_client/api.py', apiOf(reference));
  copyFileSync(join(import.meta.dirname, 'client.py'), join(inner, 'client.py'));
  copyFileSync(join(import.meta.dirname, 'test_privet_client.py'), join(folder, 'test_privet_client.py'));
}

function projectOf(version: string): string {
  return `[project]
name = "privet-client"
version = "${version}"
description = "Client for the REST API of Privet"
requires-python = ">=3.10"
license = "Apache-2.0"

[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
packages = ["privet_client"]
package-data = { privet_client = ["py.typed"] }
`;
}

function typesOf(schemas: Readonly<Record<string, Schema>>): string {
  const lines = [generated, 'from __future__ import annotations\n', 'from typing import Any, Literal, TypedDict\n'];
  const aliases: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const { properties } = schema;
    if (properties === undefined) {
      // After the classes, because aliases are evaluated at load time.
      aliases.push(`\n${name} = ${typeOf(schema)}\n`);
      continue;
    }
    const required = new Set(schema.required ?? []);
    const field = ([key, value]: [string, Schema]) => `    ${key}: ${typeOf(value)}\n`;
    const all = Object.entries(properties);
    const always = all.filter(([key]) => required.has(key)).map(field);
    const sometimes = all.filter(([key]) => !required.has(key)).map(field);
    const body = (fields: readonly string[]) => (fields.length > 0 ? fields.join('') : '    pass\n');
    if (sometimes.length === 0) lines.push(`\nclass ${name}(TypedDict):\n${body(always)}`);
    else {
      lines.push(`\nclass _${name}(TypedDict):\n${body(always)}`);
      lines.push(`\nclass ${name}(_${name}, total=False):\n${body(sometimes)}`);
    }
  }
  return [...lines, ...aliases].join('\n');
}

/** The Python annotation of a schema; annotations are not evaluated. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'Any';
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${schema.items === undefined ? 'Any' : typeOf(schema.items)}]`;
    case 'object': {
      const { additionalProperties: values } = schema;
      return `dict[str, ${typeof values === 'object' ? typeOf(values) : 'Any'}]`;
    }
    default:
      return 'Any';
  }
}

const literal = (value: unknown) => (value === null ? 'None' : value === true ? 'True' : JSON.stringify(value));

function apiOf({ paths, components }: Reference): string {
  const names = Object.keys(components.schemas).join(', ');
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => methodsOf(method, path, operation)),
  );
  return [
    generated,
    'from __future__ import annotations\n',
    'from typing import Any, Iterator, Literal\n',
    'from .client import UNSET, Client, _given, _new_key, _segment',
    `from .types import ${names}  # noqa: F401\n`,
    '\nclass Privet(Client):',
    '    """Every call of the REST API; `docs/api.md` explains them."""\n',
    methods.join('\n'),
  ].join('\n');
}

/** The method of an operation, and a second one if it can stream events. */
function methodsOf(method: string, path: string, operation: Operation): string[] {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const content = success?.content ?? {};
  const plain = content['application/json'] ?? content['text/plain'];
  const hasEvents = content['text/event-stream'] !== undefined;
  const name = nameOf(method, path);
  const found: string[] = [];
  if (plain !== undefined || !hasEvents) {
    const answer = success?.content === undefined ? 'None' : plain === undefined ? 'Any' : typeOf(plain.schema);
    found.push(methodOf(method, path, operation, { name, answer, call: '_call' }));
  }
  if (hasEvents) {
    const answer = `Iterator[${typeOf(content['text/event-stream']?.schema ?? {})}]`;
    found.push(methodOf(method, path, operation, { name: `${name}_stream`, answer, call: '_events' }));
  }
  return found;
}

type Shown = { readonly name: string; readonly answer: string; readonly call: '_call' | '_events' };

function methodOf(method: string, path: string, operation: Operation, { name, answer, call }: Shown): string {
  const [[type = '', { schema = {} } = {}] = []] = Object.entries(operation.requestBody?.content ?? {});
  const isForm = type === 'multipart/form-data';
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const isKeyed = operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key');
  // The called method decides whether the call streams.
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([key]) => key !== 'stream' && !(isForm && key === 'file'),
  );
  const required = new Set(schema.required ?? []);
  const always = fields.filter(([key]) => required.has(key));
  const sometimes = fields.filter(([key]) => !required.has(key));
  const isNullable = ([, value]: [string, Schema]) => /\bNone\b/.test(typeOf(value));
  const nullable = sometimes.filter(isNullable);
  const named = [
    ...(isForm ? ['file: tuple[str, bytes]'] : []),
    ...always.map(([key, value]) => `${snake(key)}: ${typeOf(value)}`),
    ...inQuery.filter((one) => one.required).map((one) => `${snake(one.name)}: ${queryType(one)}`),
    ...sometimes.map(([key, value]) =>
      isNullable([key, value])
        ? `${snake(key)}: ${typeOf(value)} = UNSET`
        : `${snake(key)}: ${typeOf(value)} | None = None`,
    ),
    ...inQuery.filter((one) => !one.required).map((one) => `${snake(one.name)}: ${queryType(one)} | None = None`),
    ...(isKeyed ? ['idempotency_key: str | None = None'] : []),
  ];
  const dictOf = (names: readonly string[]) => `{${names.map((name) => `"${name}": ${snake(name)}`).join(', ')}}`;
  const keysOf = (some: readonly [string, Schema][]) => some.map(([key]) => key);
  const plain = dictOf(keysOf(fields.filter((field) => !nullable.some(([key]) => key === field[0]))));
  const isStream = call === '_events' && schema.properties?.stream !== undefined;
  const given = [
    isStream ? plain.replace(/\}$/, ', "stream": True}') : plain,
    ...(nullable.length === 0 ? [] : [dictOf(keysOf(nullable))]),
  ];
  const passed = [
    `"${method.toUpperCase()}"`,
    pathText(path),
    ...(type === '' ? [] : [`body=_given(${given.join(', ')})`]),
    ...(isForm ? ['file=file'] : []),
    ...(inQuery.length === 0 ? [] : [`query=${dictOf(inQuery.map((one) => one.name))}`]),
    ...(isKeyed ? ['idempotency_key=idempotency_key or _new_key()'] : []),
  ];
  const parameters = [
    'self',
    ...inPath.map((one) => `${snake(one.name)}: str | int`),
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  return [
    `    def ${name}(`,
    ...parameters.map((one) => `        ${one},`),
    `    ) -> ${answer}:`,
    `        """${operation.summary.replace(/"""/g, "'''").replace(/([^.])$/, '$1.')}"""`,
    `        return self.${call}(${passed.join(', ')})`,
    '',
  ].join('\n');
}

/** `POST /detect-pii` → `detect_pii`, `GET /shadow-ai/services/{id}` → `get_shadow_ai_services_by_id`. */
function nameOf(method: string, path: string): string {
  const words = path.replace(/\{(\w+)\}/g, 'by_$1').split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/);
  const name = words.filter((word) => word !== '').join('_');
  return (method === 'post' ? name : `${method}_${name}`).toLowerCase();
}

function pathText(path: string): string {
  return /\{/.test(path)
    ? `f"${path.replace(/\{(\w+)\}/g, (_, name: string) => `{_segment(${snake(name)})}`)}"`
    : `"${path}"`;
}

/** Python keywords get an underscore. */
function snake(name: string): string {
  const text = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return /^(?:from|class|import|global|lambda|def|is|in|not)$/.test(text) ? `${text}_` : text;
}

/** The server validates query numbers as text; callers pass numbers. */
const queryType = ({ schema }: Parameter) => (typeOf(schema) === 'str' ? 'str | int' : typeOf(schema));
