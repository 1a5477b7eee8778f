/** Validates request data against a schema: the result has the schema's type, and errors name the path of the field. */
import type { z } from 'zod';
import { PrivetError } from '../../core/errors.ts';
import { plainField } from '../observe/field.ts';

/** One invalid field; `field` is its path, `dictionary[3].pattern`, empty for the whole body. */
export type FieldProblem = { readonly field: string; readonly message: string; readonly position?: number };

const problemsMax = 20;

/** The validated value. @throws PrivetError `invalid_input`; `details` is a list of {@link FieldProblem}. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.flatMap(problemsOf));
}

export function invalidFields(problems: readonly FieldProblem[], cause?: unknown): PrivetError {
  const details = problems.slice(0, problemsMax).map((problem) => ({
    ...problem,
    message: problem.message.replace(/\.$/, ''),
  }));
  const summary = details.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
  return new PrivetError('invalid_input', `The request is not valid: ${summary}.`, {
    hint: 'Correct the listed fields; /openapi.json describes them.',
    details,
    cause,
  });
}

/** The same for one field. */
export function invalidField(field: string, message: string, cause?: unknown): PrivetError {
  return invalidFields([{ field, message }], cause);
}

/** An unknown field is reported under its own path. */
function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: pathOf(issue.path), message: sentence(issue) }];
  return issue.keys.map((key) => ({ field: pathOf([...issue.path, plainField(key, 60)]), message: 'is not known' }));
}

/** The library's words for limits and choices, as sentences about a field. */
const plainer: readonly (readonly [RegExp, string])[] = [
  [/^Too big: expected \w+ to (have|be) <=/, 'must $1 at most '],
  [/^Too small: expected \w+ to (have|be) >=/, 'must $1 at least '],
  [/^Too big: expected \w+ to be </, 'must be less than '],
  [/^Too small: expected \w+ to be >/, 'must be more than '],
  [/^Invalid option: expected one of /, 'must be one of '],
  [/^Invalid input: /, ''],
];

function sentence({ code, message }: z.core.$ZodIssue): string {
  if (code === 'invalid_type' && /received undefined$/.test(message)) return 'is missing';
  const [pattern, words] = plainer.find(([form]) => form.test(message)) ?? [];
  const plain = pattern === undefined ? message : message.replace(pattern, words ?? '');
  const said = plain.replace(/(?<=^must have at (?:most|least) 1 \w+)s$/, '');
  return code === 'invalid_value' ? said.replaceAll('"|"', '", "') : said;
}

function pathOf(path: readonly PropertyKey[]): string {
  let field = '';
  for (const part of path) {
    if (typeof part === 'number') field += `[${part}]`;
    else field += field === '' ? plainField(String(part), 100) : `.${plainField(String(part), 100)}`;
  }
  return field;
}
