/** Checks option values by name, for every call with an option of that name. */
import { PrivetError } from '../core/errors.ts';

type Rule = readonly [isRight: (value: unknown) => boolean, needed: string, hint: string];

const isText = (value: unknown) => typeof value === 'string';
const isFunction = (value: unknown) => typeof value === 'function';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasMethods = (value: unknown, names: readonly string[]) =>
  isObject(value) && names.every((name) => typeof value[name] === 'function');
const isPrivet = (value: unknown) => hasMethods(value, ['maskBody', 'tokens']);
const isUninspectable = (value: unknown) =>
  isObject(value) &&
  Object.entries(value).every(
    ([kind, answer]) =>
      /^(?:image|audio|document|binary|signed)$/.test(kind) && /^(?:allow|refuse)$/.test(String(answer)),
  );

const rules: Readonly<Record<string, Rule>> = {
  dictionary: [Array.isArray, 'expected a list of entries', "Use [{ label: 'PROJECT', pattern: 'Apollo' }]."],
  recognizers: [
    Array.isArray,
    'expected a list of recognizers',
    "Use [{ type: 'EMPLOYEE_ID', forms: ['/E-\\\\d{6}/'] }].",
  ],
  actions: [isObject, 'expected an object of actions by type', "Use { EMAIL: 'redact' }."],
  hashKey: [
    (value) => isText(value) || value instanceof Uint8Array,
    'expected text or bytes',
    'Use at least 16 random bytes.',
  ],
  onMask: [isFunction, 'expected a function', 'Use ({ sessionId, counts }) => …'],
  vault: [
    (value) => hasMethods(value, ['reserve', 'tokens', 'drop']),
    'expected an object with reserve, tokens and drop',
    'Use new MemoryVault(), or leave it out.',
  ],
  privet: [isPrivet, 'expected a Privet instance', 'Use createPrivet(…).'],
  uninspectable: [
    isUninspectable,
    'expected allow or refuse by kind',
    "Use { document: 'allow' }; kinds are image, audio, document, binary and signed.",
  ],
  fields: [
    (value) => Array.isArray(value) && value.every(isText),
    'expected a list of names',
    "Use ['question', 'customer.note'].",
  ],
  session: [isFunction, 'expected a function', 'Use (request) => the id of its session.'],
  restore: [(value) => typeof value === 'boolean', 'expected true or false', 'Leave it out to restore answers.'],
  contentType: [isText, 'expected a media type as text', "Use 'application/json'."],
  apiKey: [isText, 'expected text', 'Use the key of the server.'],
  baseUrl: [isText, 'expected a URL as text', "Use 'http://127.0.0.1:3001'."],
};

/** @throws PrivetError `invalid_input` for an invalid value, which would otherwise be ignored silently */
export function checkValues(call: string, options: object): void {
  for (const [name, value] of Object.entries(options)) if (value !== undefined) check(`${call}: ${name}`, name, value);
}

/** @throws PrivetError `invalid_input` if the value is not a Privet, for example its options */
export function checkPrivet(call: string, privet: unknown): void {
  check(`${call}: privet`, 'privet', privet);
}

/** @throws PrivetError `invalid_input` if the value is not a function, for example options instead of `fetch` */
export function checkFetch(call: string, fetch: unknown): void {
  if (typeof fetch === 'function') return;
  throw new PrivetError('invalid_input', `${call}: fetch: expected a function.`, {
    hint: 'Use protectFetch(fetch, { … }), or protectFetch() alone.',
  });
}

function check(place: string, name: string, value: unknown): void {
  if (!Object.hasOwn(rules, name)) return;
  const [isRight, needed, hint] = rules[name] as Rule;
  if (!isRight(value)) throw new PrivetError('invalid_input', `${place}: ${needed}.`, { hint });
}
