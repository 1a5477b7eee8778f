/** The actions for injections, tool findings and tools, as in policy/agent-settings.ts. */
import type { FindingAnswer, InjectionAnswer, InjectionSettings, ToolAnswer } from '../policy/agent-settings.ts';

export const injectionAnswers = ['off', 'report', 'warn', 'block'] as const satisfies readonly InjectionAnswer[];
export const findingAnswers = ['off', 'report', 'strip', 'block'] as const satisfies readonly FindingAnswer[];
export const toolAnswers = ['allow', 'report', 'strip', 'block'] as const satisfies readonly ToolAnswer[];
export const thresholds = ['medium', 'high', 'critical'] as const satisfies readonly InjectionSettings['threshold'][];
