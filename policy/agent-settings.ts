/** Policy settings for injections, tools and MCP servers. */

export const injectionAnswers = ['off', 'report', 'warn', 'block'] as const;
export type InjectionAnswer = (typeof injectionAnswers)[number];

export const thresholds = ['medium', 'high', 'critical'] as const;

/** `policy.injection`. `threshold`: the minimum risk. */
export type InjectionSettings = {
  readonly prompts: InjectionAnswer;
  readonly tool_results: InjectionAnswer;
  readonly documents: InjectionAnswer;
  readonly threshold: (typeof thresholds)[number];
};

/** `strip` removes the tool or server from the request, `block` refuses the request. */
export const toolAnswers = ['allow', 'report', 'strip', 'block'] as const;
export type ToolAnswer = (typeof toolAnswers)[number];

export const findingAnswers = ['off', 'report', 'strip', 'block'] as const;
export type FindingAnswer = (typeof findingAnswers)[number];

/** `policy.tools`. */
export type ToolSettings = {
  /** A definition or tool set that differs from the pinned one. */
  readonly pins: FindingAnswer;
  /** A definition with instructions to the model, invisible characters, or a mention of another server's tool. */
  readonly poisoning: FindingAnswer;
  /** MCP servers that no rule matches and no administrator has approved. */
  readonly unknown_servers: ToolAnswer;
  /** Secrets and tokens in the arguments of outgoing calls. */
  readonly arguments: 'off' | 'report' | 'block';
  /** Servers that ask users for secrets. */
  readonly elicitation: 'off' | 'report' | 'block';
  /** `always`: the provider must ask for approval before each call to an MCP server that it connects to. */
  readonly approval: 'as_sent' | 'always';
};

export const injectionDefaults: InjectionSettings = {
  prompts: 'report',
  tool_results: 'report',
  documents: 'report',
  threshold: 'high',
};

export const toolDefaults: ToolSettings = {
  pins: 'report',
  poisoning: 'report',
  unknown_servers: 'report',
  arguments: 'report',
  elicitation: 'report',
  approval: 'as_sent',
};
