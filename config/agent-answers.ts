/** What can be done about injections, findings in tools, and tools: the words of policy/agent-settings.ts. */
import type { FindingAnswer, InjectionAnswer, InjectionSettings, ToolAnswer } from '../policy/agent-settings.ts';

export const injectionAnswers = ['off', 'report', 'warn', 'block'] as const satisfies readonly InjectionAnswer[];
export const findingAnswers = ['off', 'report', 'strip', 'block'] as const satisfies readonly FindingAnswer[];
export const toolAnswers = ['allow', 'report', 'strip', 'block'] as const satisfies readonly ToolAnswer[];
export const thresholds = ['medium', 'high', 'critical'] as const satisfies readonly InjectionSettings['threshold'][];
