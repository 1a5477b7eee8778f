/** Parses a request head with Node's own parser. */
import { createRequire } from 'node:module';

type ParsedHead = {
  readonly method: string;
  readonly url: string;
  readonly minor: number;
  readonly rawHeaders: string[];
};

const require = createRequire(import.meta.url);
const { HTTPParser, methods } = require('node:_http_common') as {
  HTTPParser: new () => Record<string | number, unknown> & {
    initialize(type: number, resource: object, maxHeader: number, lenient: number): void;
    execute(bytes: Buffer): number | Error;
  };
  methods: string[];
};
const constants = HTTPParser as unknown as Record<string, number>;

/** The result of Node's strict parser for a head; undefined if it refuses or waits. */
export function nodeHead(bytes: Buffer): ParsedHead | undefined {
  const parser = new HTTPParser();
  parser.initialize(constants.REQUEST as number, {}, 65_536, 0);
  let head: ParsedHead | undefined;
  let fields: string[] = [];
  // Called before the end of a head with more than 32 fields; only then with the target.
  let early = '';
  parser[constants.kOnHeaders as number] = (more: string[], url: string) => {
    fields = [...fields, ...more];
    early += url;
  };
  parser[constants.kOnHeadersComplete as number] = (
    _major: number,
    minor: number,
    headers: string[] | undefined,
    method: number,
    url: string | undefined,
  ) => {
    head = {
      method: methods[method] as string,
      url: url ?? early,
      minor,
      rawHeaders: [...fields, ...(headers ?? [])],
    };
    return 2;
  };
  const consumed = parser.execute(bytes);
  return typeof consumed === 'number' ? head : undefined;
}
