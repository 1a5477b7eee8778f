/** The section `policy` of the configuration file. */
import { z } from 'zod';
import { findingAnswers, injectionAnswers, thresholds, toolAnswers } from '../policy/agent-settings.ts';
import { categories } from '../policy/service.ts';
import { anonymizerCategories, curatedCategories } from './host-list-categories.ts';
import {
  byteSize,
  duration,
  expiry,
  file,
  hostOrNetwork,
  hours,
  names,
  networkOrWord,
  plainName,
  services,
  types,
  whos,
} from './values.ts';

const action = z.enum(['allow', 'warn', 'block']);
const inspect = z.enum(['mask', 'audit', 'tunnel']);

const injectionAnswer = z.enum(injectionAnswers);
const findingAnswer = z.enum(findingAnswers);
const patterns = z.array(z.string().min(1).max(300));

const rule = z.strictObject({
  name: plainName.optional(),
  owner: plainName.optional(),
  expires: expiry.optional(),
  report_only: z.boolean().optional(),
  when: z
    .strictObject({
      users: whos.optional(),
      groups: whos.optional(),
      networks: z.array(networkOrWord).optional(),
      services: services.optional(),
      kinds: names.optional(),
      categories: z.array(z.enum([...categories, 'unknown'])).optional(),
      hosts: z.array(hostOrNetwork).optional(),
      methods: z.array(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a method like POST')).optional(),
      paths: z.array(z.string().regex(/^\//, 'must start with "/"')).optional(),
      upload_over: byteSize.optional(),
      hours: z.union([hours, z.array(hours)]).optional(),
      agents: patterns.optional(),
      mcp_servers: patterns.optional(),
      tools: patterns.optional(),
    })
    .prefault({}),
  then: z.strictObject({
    action: action.optional(),
    inspect: inspect.optional(),
    types: types.optional(),
    coach: z.boolean().optional(),
    coach_ttl: duration.optional(),
    injection: z
      .strictObject({
        prompts: injectionAnswer.optional(),
        tool_results: injectionAnswer.optional(),
        documents: injectionAnswer.optional(),
        threshold: z.enum(thresholds).optional(),
      })
      .optional(),
    tools: z.enum(toolAnswers).optional(),
  }),
});

/** The outcome of a rule with tools: it decides about them, not about the request. */
const toolsOnly = rule.refine(
  ({ when, then }) => {
    if (when.tools === undefined && when.mcp_servers === undefined) return true;
    return then.tools !== undefined && Object.values(then).filter((value) => value !== undefined).length === 1;
  },
  {
    path: ['then'],
    message: 'must be { tools: allow | report | strip | block }, and nothing else, if tools or mcp_servers are listed',
  },
);

const learningMode = z.enum(['off', 'propose', 'auto']);
/**
 * A mode alone, or a mode with its threshold: rejections from that many subjects within the window, and how long the
 * bypass lasts.
 */
const bypassLearning = z
  .union(
    [
      learningMode.transform((mode) => ({ mode })),
      z.strictObject({
        mode: learningMode,
        failures: z.int().min(1).max(1000).optional(),
        subjects: z.int().min(1).max(1000).optional(),
        window: duration.optional(),
        ttl: duration.optional(),
      }),
    ],
    'must be off, propose or auto, or an object like { mode: propose, failures: 5, subjects: 1, window: 24h, ttl: 7d }',
  )
  .prefault('propose');

/** The section `policy`, which can also be replaced on its own while the gateway runs. */
export const policySchema = z.strictObject({
  registry: file.default(null),
  unknown: action.default('allow'),
  inspect: z
    .strictObject({
      approved: inspect.default('mask'),
      monitoring: inspect.default('audit'),
      unknown: inspect.default('tunnel'),
    })
    .prefault({}),
  blocked_answer: z.enum(['page', 'refuse', 'auto']).default('auto'),
  coach: z.boolean().default(false),
  coach_ttl: duration.prefault('8h'),
  coach_programs: z.enum(['header', 'refuse']).default('header'),
  coach_reason: z.enum(['optional', 'required']).default('optional'),
  coach_text: z.string().max(2000).nullable().default(null),
  coach_contact: z.string().max(300).nullable().default(null),
  bypass: z.array(hostOrNetwork).default([]),
  curated_bypass: z
    .union(
      [z.enum(['on', 'off']), z.array(z.enum(curatedCategories))],
      `must be on, off, or a list of ${curatedCategories.join(', ')}`,
    )
    .default('on'),
  anonymizers: z
    .union(
      [z.enum(['on', 'off']), z.array(z.enum(anonymizerCategories))],
      `must be on, off, or a list of ${anonymizerCategories.join(', ')}`,
    )
    .default('on'),
  bypass_learning: bypassLearning,
  close_blocked_tunnels: z.boolean().default(false),
  injection: z
    .strictObject({
      prompts: injectionAnswer.default('report'),
      tool_results: injectionAnswer.default('report'),
      documents: injectionAnswer.default('report'),
      threshold: z.enum(thresholds).default('high'),
    })
    .prefault({}),
  tools: z
    .strictObject({
      pins: findingAnswer.default('report'),
      poisoning: findingAnswer.default('report'),
      unknown_servers: z.enum(toolAnswers).default('report'),
      arguments: z.enum(['off', 'report', 'block']).default('report'),
      elicitation: z.enum(['off', 'report', 'block']).default('report'),
      approval: z.enum(['as_sent', 'always']).default('as_sent'),
    })
    .prefault({}),
  rules: z.array(toolsOnly).default([]),
});
