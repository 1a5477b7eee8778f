/**
 * /admin/policy: read, validate, dry-run and replace the policy. Every replica applies a replacement within a second;
 * it survives restarts.
 */

import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { YamlText } from '../../../config/document.ts';
import { problemOf } from '../../../config/fault.ts';
import type { Config } from '../../../config/load.ts';
import { policyForm, policyLengthMax } from '../../../config/policy-document.ts';
import { readable } from '../../../config/readable.ts';
import { yamlPackage } from '../../../config/yaml-package.ts';
import { PrivetError } from '../../../core/errors.ts';
import { Policy } from '../../../policy/decide.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';
import { ruleProblems } from '../../policy-lint.ts';
import { parseStored } from '../../policy-store.ts';
import { trafficOf } from '../../simulation/audit-traffic.ts';
import { Simulation } from '../../simulation/simulation.ts';
import { knownTypes, unknownTypesOfRules } from '../../unknown-types.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts, PolicyParts } from '../parts.ts';

const yaml = z
  .string()
  .max(policyLengthMax)
  .describe('The section `policy` of a configuration file, with or without that key.');
const problem = z.object({ line: z.int(), column: z.int(), key: z.string(), message: z.string() });
const time = z.iso.datetime({ offset: true });
const outcome = z.object({
  action: z.string(),
  inspect: z.string(),
  rule: z.string(),
  coach: z.boolean().optional().describe('Users must confirm first.'),
  tools: z.string().optional().describe('The action for tools, unless all are allowed.'),
});
const policyAnswer = z.object({
  version: z.string().describe('For the next PUT.'),
  source: z.enum(['file', 'store']),
  yaml: z.string(),
  policy: z.looseObject({}).describe('With all defaults, and a rule for each granted exception.'),
});
export type PolicyAnswer = z.infer<typeof policyAnswer>;
const validateAnswer = z.object({
  valid: z.boolean(),
  problems: z.array(problem),
  warnings: z.array(problem),
  rules: z.array(z.unknown()).nullable().describe('As written in the text; null when it cannot be parsed.'),
  block: z.string().nullable().describe('The text with each rule in block style, if it is in flow style.'),
});
export type ValidateAnswer = z.infer<typeof validateAnswer>;
const dryRunAnswer = z.object({
  events: z.int(),
  changed: z.int(),
  undecided: z.int().describe('Events that depend on a path, which is not recorded, or on the size of a refused body.'),
  truncated: z.boolean().describe('There are more events than were evaluated.'),
  diffs: z.array(
    z.object({
      before: outcome,
      after: outcome,
      count: z.int(),
      subjects: z.int(),
      examples: z.array(z.object({ host: z.string(), subject: z.string(), at: z.string() })),
    }),
  ),
});
export type DryRunAnswer = z.infer<typeof dryRunAnswer>;
const eventsDefault = 20_000;
const eventsMax = 200_000;
const pageMax = 1_000;

export function policyRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { registry, stores, log } = parts;
  const shared = { group: 'admin', access: 'admin' } as const;

  /** The file's policy as text, when none replaces it. */
  const fileYaml = () => {
    const { registry: _registry, ...policy } = policiesOf(parts).file().policy;
    return yamlPackage().stringify({ policy: readable(policy) });
  };

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/policy',
    summary: 'The effective policy.',
    answer: policyAnswer,
    handle() {
      const { store, current } = policiesOf(parts);
      const { version, source, yaml: text } = store.state;
      return { version, source, yaml: text ?? fileYaml(), policy: current().policy };
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/policy/validate',
    summary: 'Validate a policy: errors and lint warnings, with line and column.',
    body: z.strictObject({ yaml }),
    answer: validateAnswer,
    handle: ({ body }) => ({
      ...validated(body.yaml, policiesOf(parts).file(), registry.list()),
      ...policyForm(body.yaml),
    }),
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/policy/dry-run',
    summary: 'What a policy would have decided differently about recorded events.',
    body: z.strictObject({
      yaml,
      from: time.optional().describe('Start (inclusive).'),
      to: time.optional().describe('End (exclusive).'),
      limit: z.int().min(1).max(eventsMax).optional().describe(`Events, newest first. Default ${eventsDefault}.`),
    }),
    answer: dryRunAnswer,
    async handle({ body }) {
      const { policy, problems } = parseStored(body.yaml);
      if (policy === undefined) throw notValid(problems);
      const { store, file } = policiesOf(parts);
      // Compare both with the current exceptions: the effective policy may still contain rules of expired ones.
      const [now, config] = [parts.policy(), file()];
      const simulation = new Simulation({
        before: now.withConfig(store.effective(config).policy),
        after: now.withConfig(store.inPlace(policy, config)),
      });
      const isWhole = await run(simulation, {
        from: body.from === undefined ? undefined : Date.parse(body.from),
        to: body.to === undefined ? undefined : Date.parse(body.to),
        limit: body.limit ?? eventsDefault,
      });
      return { ...simulation.result(), truncated: !isWhole };
    },
  });

  endpoints.add({
    ...shared,
    method: 'PUT',
    path: '/admin/policy',
    summary: 'Replace the effective policy.',
    refusals: [409],
    body: z.strictObject({
      yaml,
      version: z
        .union([z.string().max(40), z.int()], {
          error: ({ input }) =>
            input === undefined
              ? 'is missing; get it from GET /admin/policy'
              : 'must be the version from GET /admin/policy',
        })
        .describe('Version of the policy that it replaces, from GET.'),
    }),
    answer: z.object({ version: z.string() }),
    async handle({ body, request, caller }) {
      const version = await policiesOf(parts).store.replace(body.yaml, String(body.version));
      log.info(
        { event: 'policy_put', requestId: request.id, key: caller.keyId, version },
        'the policy was replaced over the API',
      );
      return { version };
    },
  });

  endpoints.add({
    ...shared,
    method: 'DELETE',
    path: '/admin/policy',
    summary: 'Return to the policy of the configuration file.',
    answer: z.object({ version: z.string() }),
    async handle({ request, caller }) {
      const version = await policiesOf(parts).store.replace(null, undefined);
      log.info(
        { event: 'policy_reset', requestId: request.id, key: caller.keyId, version },
        'the policy of the file applies again',
      );
      return { version };
    },
  });

  /** Evaluates events, newest first; false when some were left out. */
  async function run(simulation: Simulation, query: { from?: number; to?: number; limit: number }): Promise<boolean> {
    let left = query.limit;
    let after: string | undefined;
    do {
      const page = await stores.events.query({ ...query, limit: Math.min(left, pageMax), after });
      for (const event of page.events) {
        const traffic = trafficOf({ ts: new Date(event.at).toISOString(), ...event.fields });
        if (traffic !== undefined) simulation.add(traffic);
      }
      left -= page.events.length;
      after = page.next;
      await setImmediate();
    } while (after !== undefined && left > 0);
    return after === undefined;
  }
}

/** @throws PrivetError `unavailable` in a process built without policies. */
export function policiesOf({ policies }: ApiParts): PolicyParts {
  if (policies === undefined) throw new PrivetError('unavailable', 'The policy of this process cannot be changed.');
  return policies;
}

function validated(text: string, file: Config, services: Parameters<typeof ruleProblems>[0]['services']) {
  const { policy, problems } = parseStored(text);
  if (policy === undefined) return { valid: false, problems: problems.map(problemFields), warnings: [] };
  try {
    new Policy({ registry: new ServiceRegistry(), config: policy });
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    return { valid: false, problems: [{ line: 0, column: 0, key: '', message: error.message }], warnings: [] };
  }
  const yaml = new YamlText(text, 'policy');
  const lint = ruleProblems({ config: { ...file, policy }, services, file: 'policy', yaml });
  // Not an error here, unlike in a file: a newer replica may have accepted a policy with types that this one lacks.
  const types = unknownTypesOfRules(policy, knownTypes(file.masking));
  const warnings = [...lint, ...types.map((fault) => problemOf(fault, { file: 'policy', yaml }))];
  return { valid: true, problems: [], warnings: warnings.map(problemFields) };
}

type Problem = { readonly line: number; readonly column: number; readonly key: string; readonly message: string };

function problemFields({ line, column, key, message }: Problem): Problem {
  return { line, column, key, message };
}

function notValid(problems: readonly Problem[]): PrivetError {
  return new PrivetError('invalid_input', 'The policy has errors.', {
    hint: 'Correct the listed problems.',
    details: problems.map(problemFields),
  });
}
