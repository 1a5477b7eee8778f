/** What is done about injections, and about tools and MCP servers: the settings of the policy. */

export type InjectionAnswer = 'off' | 'report' | 'warn' | 'block';

/** `policy.injection`. `threshold`: the least risk that counts. */
export type InjectionSettings = {
  readonly prompts: InjectionAnswer;
  readonly tool_results: InjectionAnswer;
  readonly documents: InjectionAnswer;
  readonly threshold: 'medium' | 'high' | 'critical';
};

/** `strip` takes the tool or server out of the request, `block` refuses the request. */
export type ToolAnswer = 'allow' | 'report' | 'strip' | 'block';

export type FindingAnswer = 'off' | 'report' | 'strip' | 'block';

/** `policy.tools`. */
export type ToolSettings = {
  /** A definition, or the set of tools of a server, that is not the one that was pinned. */
  readonly pins: FindingAnswer;
  /** A definition with orders to the model, with characters that do not show, or that speaks of another server's tool. */
  readonly poisoning: FindingAnswer;
  /** MCP servers that no rule names and no administrator has approved. */
  readonly unknown_servers: ToolAnswer;
  /** Secrets and tokens in the arguments of calls that would leave. */
  readonly arguments: 'off' | 'report' | 'block';
  /** Servers that ask people for secrets. */
  readonly elicitation: 'off' | 'report' | 'block';
  /** `always`: the provider asks the program before each call of an MCP server that it connects to. */
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
