/** Every error sentence that a console can show has a Japanese translation. The sentences are read from the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { customRecognizers } from '../../../core/dictionary/custom-recognizers.ts';
import { errorCodes, PrivetError } from '../../../core/errors.ts';
import { inJapanese } from '../../../core/wording/japanese.ts';
import { errorInJapanese } from '../../../core/wording/japanese-errors.ts';
import { sentenceOf } from '../../../gateway/agents/facts.ts';
import { parse } from '../../../gateway/api/validate.ts';

const root = resolve(import.meta.dirname, '../../..');

const under = (folder: string, names: string, ending = '') =>
  names.split(' ').map((name) => `${folder}/${name}${ending}`);
/** The files that an API call can reach, as far as they report errors of their own. */
const folders = [
  ...under('gateway', 'api convert long-texts discovery feeds portal chat-providers stores threads users'),
  ...['gateway/proxy/admit', 'gateway/proxy/upstream', 'core/detect', 'core/rag', 'core/tokens', 'policy', 'certs'],
];
const files = [
  ...under(
    'gateway',
    'agents/inventory form configuration license policy-store proxy/tls/client-tls unknown-types',
    '.ts',
  ),
  ...under('core', 'actions errors noise restore payload/json-strings', '.ts'),
  ...under('config', 'document issues listeners load policy-document policy-schema problem schema services', '.ts'),
  ...under('config', 'values yaml-value remainder', '.ts'),
];

/** Calls that contain an error sentence, and names of properties and variables that hold one. */
const calls = new Set(
  (
    'PrivetError invalidField refine regex min max union string number int addIssue wrong damaged tooLarge invalid failed ' +
    'report problem push unusable unavailable unknownTenant attempt'
  ).split(' '),
);
const names = new Set('hint message error tooMany tooLong tooLarge failed unsupported'.split(' '));
/** Functions that return a sentence. */
const functions = new Set('withoutSettings leftOut withFile unreadable wordsOf'.split(' '));

/** Files whose errors never reach the console: start-up, developer tools, notes in a list. */
const others = new Set([
  ...'gateway/stores/open-stores.ts|gateway/stores/admin-key.ts|gateway/feeds/files.ts'.split('|'),
  ...'gateway/api/openapi.ts|gateway/api/examples.ts|gateway/api/reference-page.ts'.split('|'),
  ...'certs/leaf-cache.ts|core/detect/memory.ts'.split('|'),
]);

/** Sentences that the code assembles; a part that the catalog lacks must be one of these. */
const composed = [
  'A part of the document is neither UTF-8 nor UTF-16.',
  'A part of the document is not in its declared encoding.',
  'The feed answers with status 302. Redirects are not followed; configure the target instead.',
  'The Free plan has 1 seat, which is taken.',
  'The Starter plan has 3 seats; all are taken.',
  'The file /data/users cannot be written (EACCES).',
  'The file /data/users cannot be read (EACCES).',
  'The store was written by a newer version of Privet; start that one.',
  'The store was written by a version before 0.1.0 of Privet; use a new store.',
  'The host is longer than 253 characters.',
  ...[
    'is not a weekly time range',
    'names an unknown time zone',
    'names an unknown day',
    'has a time outside 00:00-24:00',
  ].map((what) => `"x" ${what}; write it as "mon-fri 08:00-18:00 Asia/Tokyo".`),
  'Custom dictionaries need the Starter plan; this account has the Free plan.',
  'RAG needs the Business plan; this account has the Free plan.',
  'the group "legl" is not known; did you mean "legal"?',
  'The CA of /data (SHA-256 00) is gone: restore the folder from your backup. ' +
    'To create a new one, which every client must then trust, remove /data/ca.',
  'The license file /license does not exist.',
  'is not a known type; did you mean EMAIL?',
  'unknown key; did you mean "when"?',
];

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nameOf = (node: unknown): string => {
  const { name, value, property } = (node ?? {}) as { name?: string; value?: string; property?: unknown };
  return name ?? value ?? (property === undefined ? '' : nameOf(property));
};

/** The texts below a node that are part of an error, with `X1` for each placeholder. */
function textsIn(node: Node, isError = false): string[] {
  const inside = isError && !(node.type === 'CallExpression' || node.type === 'ArrowFunctionExpression');
  const here =
    ((node.type === 'CallExpression' || node.type === 'NewExpression') && calls.has(nameOf(node.callee))) ||
    (node.type === 'Property' && names.has(nameOf(node.key))) ||
    (node.type === 'VariableDeclarator' && names.has(nameOf(node.id))) ||
    (node.type === 'FunctionDeclaration' && functions.has(nameOf(node.id)));
  const own =
    node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('X1')
        : undefined;
  const below = Object.entries(node)
    .filter(([name]) => name !== 'callee' && name !== 'key')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .flatMap((child) => textsIn(child, here || inside));
  return isError && own !== undefined ? [own, ...below] : below;
}

const sources = [
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ),
  ...files,
].filter((file) => file.endsWith('.ts') && !others.has(file));

/** English prose: several lower-case words; not a word of the API, a field or a pattern. */
const isProse = (text: string) => /^[A-Z"a-z][\w".]*,? .*[a-z]{2}/.test(text) && !/[\n<>\\]|\|\|/.test(text);

const isPart = (text: string) =>
  composed.some((whole) => text.split('X1').reduce((at, part) => (at < 0 ? at : whole.indexOf(part, at)), 0) >= 0);

/** In a sentence with a colon, the part before it must be translated too: only the position of a message stays. */
const isJapanese = (text: string) => {
  const japanese = errorInJapanese(text);
  return (
    /[ぁ-んァ-ヶ一-龠]/.test(japanese) && !(text.includes(': ') && japanese.startsWith(`${text.split(': ')[0]}: `))
  );
};

test('error sentences in the code', () => {
  const texts = sources.flatMap((file) => {
    const program = parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }) as unknown as Node;
    return textsIn(program)
      .filter(isProse)
      .map((text) => (file === 'policy/host.ts' && /^[a-z]/.test(text) ? `The host ${text}.` : text));
  });
  expect(texts.length).toBeGreaterThan(300);
  expect([...new Set(texts)].filter((text) => !isJapanese(text) && !isPart(text))).toEqual([]);
  expect(composed.filter((text) => !isJapanese(text))).toEqual([]);
});

/** A page shows the sentence of the step that refused a request. */
test('the steps of a refused request', () => {
  const files = ['gateway/proxy', 'gateway/agents'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
  );
  const steps = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(['`])(Step \w+: .+?)\1/g)])
    .map(([, , sentence = '']) => sentence.replace(/\$\{[^{}]*\}/g, 'X1'));
  expect(steps.length).toBeGreaterThan(30);
  expect(steps.filter((sentence) => !isJapanese(sentence))).toEqual([]);
  const kinds = ['changed', 'added', 'poisoned', 'token_in_call', 'elicitation', 'denied'] as const;
  const findings = kinds.map((kind) => errorInJapanese(`Step tools: ${sentenceOf({ kind, tool: 'x' })}.`));
  expect(findings.filter((sentence) => /[a-z] [a-z]/.test(sentence))).toEqual([]);
});

test.each([
  ['a list', 'no list'],
  ['the number of recognizers', Array.from({ length: 101 }, () => ({ type: 'A_B', forms: ['a'] }))],
  ['a label', [{ type: 'no label', forms: ['a'] }]],
  ['a score', [{ type: 'A_B', forms: ['a'], score: 2 }]],
  ['a pattern', [{ type: 'A_B', forms: [] }]],
])('errors in recognizers: %s', (_, recognizers) => {
  let message = '';
  try {
    customRecognizers(recognizers as never);
  } catch (error) {
    message = (error as PrivetError).message;
  }
  expect(message).not.toBe('');
  expect(errorInJapanese(message)).not.toMatch(/[a-z]{2,}(?!.*[：])/);
});

test('the hints of all codes', () => {
  expect(Object.values(errorCodes).filter(({ hint }) => !isJapanese(hint))).toEqual([]);
});

test.each([
  [z.string(), 1],
  [z.string(), undefined],
  [z.number(), 'a'],
  [z.int(), 1.5],
  [z.boolean(), 'a'],
  [z.array(z.string()), 'a'],
  [z.object({ a: z.string() }), 'a'],
  [z.strictObject({}), { a: 1 }],
  [z.record(z.string(), z.string()), 'a'],
  [z.string().min(1), ''],
  [z.string().max(1), 'ab'],
  [z.array(z.string()).min(1), []],
  [z.array(z.string()).max(0), ['a']],
  [z.number().min(1), 0],
  [z.number().max(1), 2],
  [z.number().positive(), 0],
  [z.enum(['a', 'b']), 'c'],
  [z.literal('a'), 'c'],
  [z.string().regex(/a/), 'b'],
  [z.string().startsWith('a'), 'b'],
  [z.iso.datetime(), 'a'],
  [z.iso.date(), 'a'],
  [z.url(), 'a'],
  [z.uuid(), 'a'],
  [z.union([z.string(), z.number()]), true],
])('messages of the schema: %#', (schema, value) => {
  try {
    parse(schema as z.ZodType, value);
  } catch (error) {
    const { message, details } = error as PrivetError;
    expect(error).toBeInstanceOf(PrivetError);
    expect(
      [message, ...(details as { message: string }[]).map((one) => one.message)].filter((one) => !isJapanese(one)),
    ).toEqual([]);
    return;
  }
  throw new Error('the value was accepted');
});

test('mistakes in YAML, as its parser reports them', () => {
  const lines = ['a: 1\nb', 'a: b: c', 'a:\n  - 1\n - 2', 'a:\n\t- 1', 'a: @b', 'a: %b', 'a: "b', "a: 'b", 'a: [1, 2'];
  const more = [
    'a: { b: 1',
    '[1, 2',
    '{ b: 1',
    'a: [,]',
    'a: {b: 1 c: 2}',
    'a: "b"#c',
    'a: "\\q"',
    'a: ]',
    'a: {"b"c}',
  ];
  const rules = ['a: "x" y', 'a:\n  b: 1\n c: 2', 'rules:\n  - name: x\n   when: {}', 'a: x\n b: y'];
  const texts = [...lines, ...more, ...rules];
  const messages = texts.map((text) => parseDocument(text, { prettyErrors: false }).errors.map((one) => one.message));
  expect(messages.filter((found) => found.length === 0)).toEqual([]);
  expect(messages.flat().filter((message) => !isJapanese(message))).toEqual([]);
});

test('placeholders stay, and so do sentences outside the catalog', () => {
  expect(errorInJapanese('The Free plan has 1 seat, which is taken.')).toBe(
    'プラン Free のメンバー数は 1 人で、すでに使用中です。',
  );
  expect(errorInJapanese('expected string, received number')).toBe(
    'テキストを指定してください（数値が指定されました）',
  );
  expect(
    errorInJapanese('privet.yaml:3:5: policy.rules[0].when.users: the list is empty, so the rule can never match'),
  ).toBe('privet.yaml:3:5: policy.rules[0].when.users: リストが空のため、このルールは一致しません');
  expect(errorInJapanese("Use a*b, or { replace: 'text' } with at most 9 characters.")).toContain('a*b');
  expect(errorInJapanese('constructor')).toBe('constructor');
  expect(inJapanese('must be approved by legal first')).toBe('must be approved by legal first');
});
