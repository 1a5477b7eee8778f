/**
 * /admin/policy: the policy in force, another one checked, tried against what has happened, or put in its place. Every
 * replica has it within a second; a restart keeps it.
 */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { YamlText } from '../../../config/document.ts';
import { problemOf } from '../../../config/fault.ts';
import type { Config } from '../../../config/load.ts';
import { policyForm, policyLengthMax } from '../../../config/policy-document.ts';
import { yamlPackage } from '../../../config/yaml-package.ts';
import { PrivetError } from '../../../core/errors.ts';
import { Policy } from '../../../policy/decide.ts';
import { ServiceRegistry } from '../../../policy/registry.ts';
import { type PolicyStore, parseStored } from '../../policy-store.ts';
import { ruleProblems } from '../../rule-doubts.ts';
import { trafficOf } from '../../simulation/audit-traffic.ts';
import { Simulation } from '../../simulation/simulation.ts';
import { knownTypes, unknownTypesOfRules } from '../../unknown-types.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../server.ts';

/** What the endpoints of the policy work with. */
export type PolicyParts = {
  readonly store: PolicyStore;
  /** The configuration of the file, and the one in force. */
  readonly file: () => Config;
  readonly current: () => Config;
};

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
  coach: z.boolean().optional().describe('People are asked first.'),
});
const dryRunAnswer = z.object({
  events: z.int(),
  changed: z.int(),
  undecided: z
    .int()
    .describe(
      'Events that a rule by path would decide, which events do not hold, or one by the size of a refused body.',
    ),
  truncated: z.boolean().describe('There are more events than were looked at.'),
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
const eventsDefault = 20_000;
const eventsMax = 200_000;
const pageMax = 1_000;

/** Adds GET, PUT and DELETE /admin/policy and POST /admin/policy/validate and /admin/policy/dry-run, for administrators. */
export function policyRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const { registry, stores, log } = parts;
  const shared = { group: 'admin', access: 'admin' } as const;

  /** The file's policy as text, where none is put in its place. */
  const fileYaml = () => {
    const { registry: _registry, ...policy } = policiesOf(parts).file().policy;
    return yamlPackage().stringify({ policy });
  };

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/policy',
    summary: 'The policy in force.',
    answer: z.object({
      version: z.string().describe('For the next PUT.'),
      source: z.enum(['file', 'store']),
      yaml: z.string(),
      policy: z.looseObject({}).describe('With every default, and with a rule for each exception that was granted.'),
    }),
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
    summary: 'What is wrong with a policy, and what is probably not meant, by line and column.',
    body: z.strictObject({ yaml }),
    answer: z.object({
      valid: z.boolean(),
      problems: z.array(problem),
      warnings: z.array(problem),
      rules: z.array(z.unknown()).nullable().describe('As they stand in the text; null when it cannot be read.'),
      block: z.string().nullable().describe('The text with each rule on lines of its own, where it is in brackets.'),
    }),
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
      from: time.optional().describe('Not before.'),
      to: time.optional().describe('Before.'),
      limit: z.int().min(1).max(eventsMax).optional().describe(`Events, the newest first. Default ${eventsDefault}.`),
    }),
    answer: dryRunAnswer,
    async handle({ body }) {
      const { policy, problems } = parseStored(body.yaml);
      if (policy === undefined) throw notValid(problems);
      const { store, file } = policiesOf(parts);
      // Both with the exceptions that hold now: the policy in force may still have rules of ended ones.
      const [now, config] = [parts.policy(), file()];
      const simulation = new Simulation({
        before: now.withConfig(store.effective(config).policy),
        after: now.withConfig(store.inPlace(policy, config)),
      });
      const isWhole = await run(simulation, {
        ...(body.from === undefined ? {} : { from: Date.parse(body.from) }),
        ...(body.to === undefined ? {} : { to: Date.parse(body.to) }),
        limit: body.limit ?? eventsDefault,
      });
      return { ...simulation.result(), truncated: !isWhole };
    },
  });

  endpoints.add({
    ...shared,
    method: 'PUT',
    path: '/admin/policy',
    summary: 'Put a policy in place of the one in force.',
    refusals: [409],
    body: z.strictObject({
      yaml,
      version: z
        .union([z.string().max(40), z.int()], {
          error: ({ input }) =>
            input === undefined ? 'is missing; GET /admin/policy says it' : 'must be as GET /admin/policy says it',
        })
        .describe('Of the policy that it replaces, as GET says.'),
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
    summary: 'Back to the policy of the configuration file.',
    answer: z.object({ version: z.string() }),
    async handle({ request, caller }) {
      const version = await policiesOf(parts).store.replace(null, undefined);
      log.info(
        { event: 'policy_reset', requestId: request.id, key: caller.keyId, version },
        'the policy of the file counts again',
      );
      return { version };
    },
  });

  /** Feeds events, the newest first; false when some were left out. */
  async function run(simulation: Simulation, query: { from?: number; to?: number; limit: number }): Promise<boolean> {
    let left = query.limit;
    let after: string | undefined;
    do {
      const page = await stores.events.query({
        ...query,
        limit: Math.min(left, pageMax),
        ...(after === undefined ? {} : { after }),
      });
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

/** @throws PrivetError `unavailable` in a process that was built without. */
export function policiesOf({ policies }: ApiParts): PolicyParts {
  if (policies === undefined) throw new PrivetError('unavailable', 'The policy of this process cannot be changed.');
  return policies;
}

function validated(text: string, file: Config, services: Parameters<typeof ruleProblems>[0]['services']) {
  const { policy, problems } = parseStored(text);
  if (policy === undefined) return { valid: false, problems: problems.map(placeOf), warnings: [] };
  try {
    new Policy({ registry: new ServiceRegistry(), config: policy });
  } catch (error) {
    if (!(error instanceof PrivetError)) throw error;
    return { valid: false, problems: [{ line: 0, column: 0, key: '', message: error.message }], warnings: [] };
  }
  const yaml = new YamlText(text, 'policy');
  const doubts = ruleProblems({ config: { ...file, policy }, services, file: 'policy', yaml });
  // No faults as in a file: a replica of a later version may have taken a policy with types of its own.
  const types = unknownTypesOfRules(policy, knownTypes(file.masking));
  const warnings = [...doubts, ...types.map((fault) => problemOf(fault, { file: 'policy', yaml }))];
  return { valid: true, problems: [], warnings: warnings.map(placeOf) };
}

type Place = { readonly line: number; readonly column: number; readonly key: string; readonly message: string };

function placeOf({ line, column, key, message }: Place): Place {
  return { line, column, key, message };
}

function notValid(problems: readonly Place[]): PrivetError {
  return new PrivetError('invalid_input', 'The policy has errors.', {
    hint: 'Correct the listed problems.',
    details: problems.map(placeOf),
  });
}
