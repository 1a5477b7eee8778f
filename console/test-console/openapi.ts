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
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
};

/** The operations of a reference, in its order. */
export function operationsOf(document: unknown): Operation[] {
  const { paths } = document as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content;
      const isForm = content?.['multipart/form-data'] !== undefined;
      const body = content?.['application/json']?.example;
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
