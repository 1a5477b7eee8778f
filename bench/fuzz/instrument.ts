/**
 * Counts which branches of this project's modules run: a load hook adds a counter to each function, branch and loop
 * body of modules imported after {@link instrument}. Reading V8's precise coverage takes 2 ms, this some microseconds
 * (docs/decisions/0014-fuzzing.md).
 */
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const branchesMax = 1 << 17;
const root = pathToFileURL(`${path.resolve(import.meta.dirname, '../..')}/`).href;
const rooms = /^(?:core|policy|config|certs|gateway|sdk|mcp)\/(?!data\/)/;

/** The counters, and the string literals of the modules. */
export type Instrumented = {
  /** Executions per branch since the caller last reset them; the first {@link branches} entries are used. */
  readonly counts: Uint32Array;
  readonly branches: () => number;
  /** String literals of the modules, which mutations may insert. */
  readonly words: () => readonly string[];
};

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
type Edit = { readonly at: number; readonly opens: boolean; readonly text: string };

/** A fault planted in a module, to check that it is found; `from` must occur exactly once. */
export type Plant = { readonly file: string; readonly from: string; readonly to: string };

/** Registers the hook; already loaded modules are not counted. */
export function instrument(plant?: Plant): Instrumented {
  const counts = new Uint32Array(branchesMax);
  const words = new Set<string>();
  let branches = 0;
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
      const { code, used } = withCounters(source, branches, words);
      branches += used;
      if (branches > branchesMax) throw new Error('more branches than counters');
      return { ...loaded, format: 'module', source: code };
    },
  });
  return { counts, branches: () => branches, words: () => [...words] };
}

function planted(source: string, { file, from, to }: Plant): string {
  if (source.split(from).length !== 2) throw new Error(`${file} must contain exactly once: ${from}`);
  return source.replace(from, () => to);
}

/** The module with `__f[n]++` at the start of every branch, numbered from `first`. */
function withCounters(source: string, first: number, words: Set<string>): { code: string; used: number } {
  const edits: Edit[] = [];
  let next = first;
  const count = () => `__f[${next++}]++`;
  const open = (at: number, text: string) => edits.push({ at, opens: true, text });
  const close = (at: number, text: string) => edits.push({ at, opens: false, text });

  /** A branch statement with its counter. */
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
          for (const child of Array.isArray(value) ? value : [value]) {
            if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node);
          }
        }
    }
  };
  visit(parseAst(source) as unknown as Node);

  // At equal offsets, openings are ordered outermost first and closings innermost first, as the walk visits nodes.
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
