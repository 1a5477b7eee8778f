/**
 * Counts which branches of this project's modules run: a load hook writes a counter into each function, branch and loop
 * body of what is imported after {@link instrument}. V8's own precise coverage needs 2 ms per question, this some
 * microseconds (docs/decisions/0014-fuzzing.md).
 */
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const placesMax = 1 << 17;
const root = pathToFileURL(`${path.resolve(import.meta.dirname, '../..')}/`).href;
const rooms = /^(?:core|policy|config|certs|gateway|sdk|mcp)\/(?!data\/)/;

/** What runs, and the strings that the modules compare with. */
export type Instrumented = {
  /** Times that each place was reached since the caller last set it to 0; the first {@link places} are used. */
  readonly counts: Uint32Array;
  readonly places: () => number;
  /** String literals of the modules: words that a mutation may put in. */
  readonly words: () => readonly string[];
};

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
type Edit = { readonly at: number; readonly opens: boolean; readonly text: string };

/** A fault that is put into a module, to see whether it is found: `from` stands there once. */
export type Plant = { readonly file: string; readonly from: string; readonly to: string };

/** Registers the hook; modules that are loaded already are not counted. */
export function instrument(plant?: Plant): Instrumented {
  const counts = new Uint32Array(placesMax);
  const words = new Set<string>();
  let places = 0;
  (globalThis as Record<string, unknown>).__fuzzCounts = counts;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith(root) || !rooms.test(url.slice(root.length)) || loaded.source == null) return loaded;
      if (!/\.ts$/.test(fileURLToPath(url))) return loaded;
      const isPlace = url === root + plant?.file;
      const source = stripTypeScriptTypes(
        isPlace ? planted(String(loaded.source), plant as Plant) : String(loaded.source),
      );
      const { code, used } = withCounters(source, places, words);
      places += used;
      if (places > placesMax) throw new Error('more places than counters');
      return { ...loaded, format: 'module', source: code };
    },
  });
  return { counts, places: () => places, words: () => [...words] };
}

function planted(source: string, { file, from, to }: Plant): string {
  if (source.split(from).length !== 2) throw new Error(`in ${file} stands not once: ${from}`);
  return source.replace(from, () => to);
}

/** The module with `__f[n]++` at the start of every branch, counted from `first`. */
function withCounters(source: string, first: number, words: Set<string>): { code: string; used: number } {
  const edits: Edit[] = [];
  let next = first;
  const count = () => `__f[${next++}]++`;
  const open = (at: number, text: string) => edits.push({ at, opens: true, text });
  const close = (at: number, text: string) => edits.push({ at, opens: false, text });

  /** A statement that runs on a branch, with its counter. */
  const branch = (statement: Node | null | undefined): void => {
    if (!statement) return;
    if (statement.type === 'BlockStatement') {
      open(statement.start + 1, `${count()};`);
      visit(statement);
    } else {
      open(statement.start, `{${count()};`);
      visit(statement);
      close(statement.end, '}');
    }
  };
  const expression = (node: Node): void => {
    open(node.start, `(${count()},`);
    visit(node);
    close(node.end, ')');
  };
  const visit = (node: Node): void => {
    const child = (key: string) => node[key] as Node;
    switch (node.type) {
      case 'ImportDeclaration':
        return;
      case 'Literal':
        if (typeof node.value === 'string' && node.value.length > 1 && node.value.length <= 24) words.add(node.value);
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        for (const parameter of node.params as Node[]) visit(parameter);
        if (child('body').type === 'BlockStatement') branch(child('body'));
        else expression(child('body'));
        return;
      case 'IfStatement':
        visit(child('test'));
        branch(child('consequent'));
        if (node.alternate) branch(child('alternate'));
        else close(child('consequent').end, ` else{${count()}}`);
        return;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        for (const key of ['init', 'test', 'update', 'left', 'right']) if (node[key]) visit(child(key));
        branch(child('body'));
        return;
      case 'CatchClause':
        branch(child('body'));
        return;
      case 'SwitchCase': {
        if (node.test) visit(child('test'));
        const statements = node.consequent as Node[];
        if (statements[0]) open(statements[0].start, `${count()};`);
        for (const statement of statements) visit(statement);
        return;
      }
      case 'ConditionalExpression':
        visit(child('test'));
        expression(child('consequent'));
        expression(child('alternate'));
        return;
      case 'LogicalExpression':
        visit(child('left'));
        expression(child('right'));
        return;
      default:
        for (const value of Object.values(node)) {
          for (const one of Array.isArray(value) ? value : [value]) {
            if (typeof one === 'object' && one !== null && 'type' in one) visit(one as Node);
          }
        }
    }
  };
  visit(parseAst(source) as unknown as Node);

  // What is opened at a place comes outermost first, what is closed innermost first: the order of the walk, in which a
  // node is opened before and closed after all within it.
  const sorted = edits.map((edit, order) => ({ ...edit, order }));
  sorted.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || a.order - b.order);
  let code = 'const __f=globalThis.__fuzzCounts;';
  let from = 0;
  for (const { at, text } of sorted) {
    code += source.slice(from, at) + text;
    from = at;
  }
  return { code: code + source.slice(from), used: next - first };
}
