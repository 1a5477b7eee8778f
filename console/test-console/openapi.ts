/** Reads the API reference, as far as the forms need it. */

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
};

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  /** A sample body; undefined if the endpoint takes none. */
  readonly body?: unknown;
  readonly isForm: boolean;
};

type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
};

type OperationObject = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
};

/** The operations of a reference, in its order. */
export function operationsOf(document: unknown): Operation[] {
  const { paths } = document as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content;
      const isForm = content?.['multipart/form-data'] !== undefined;
      const json = content?.['application/json'];
      const body = json && (json.example ?? sampleOf(json.schema));
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        tag: operation.tags?.[0] ?? '',
        summary: operation.summary ?? '',
        needsKey: (operation.security ?? []).length > 0,
        parameters: operation.parameters ?? [],
        ...(body === undefined ? {} : { body }),
        isForm,
      };
    }),
  );
}

/** A sample value of a schema with its required fields. */
function sampleOf(schema: Schema, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice?.[0] !== undefined && depth < 5) return sampleOf(choice[0], depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return [];
  if (type === 'number' || type === 'integer') return 0;
  if (type === 'boolean') return false;
  if (type === 'string') return '';
  const fields = schema.required ?? [];
  return Object.fromEntries(fields.map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, depth + 1)]));
}

/** The URL of a call: path parameters filled in, empty query parameters left out. */
export function addressOf(operation: Operation, values: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(
    operation.parameters.flatMap(({ name, in: place }): [string, string][] =>
      place === 'query' && (values[name] ?? '') !== '' ? [[name, values[name] ?? '']] : [],
    ),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}
