/** Policy settings for injections, tools and MCP servers. */

export type InjectionAnswer = 'off' | 'report' | 'warn' | 'block';

/** `policy.injection`. `threshold`: the minimum risk. */
export type InjectionSettings = {
  readonly prompts: InjectionAnswer;
  readonly tool_results: InjectionAnswer;
  readonly documents: InjectionAnswer;
  readonly threshold: 'medium' | 'high' | 'critical';
};

/** `strip` removes the tool or server from the request, `block` refuses the request. */
export type ToolAnswer = 'allow' | 'report' | 'strip' | 'block';

export type FindingAnswer = 'off' | 'report' | 'strip' | 'block';

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
