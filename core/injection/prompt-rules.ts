import type { PromptCategory } from './result.ts';

/**
 * A rule is a row of word classes that have to follow each other within one sentence.
 *
 * `gap` is the largest distance between two neighbours: a word counts 2, a character of a script without spaces 1.
 * `weight` is 3 for a signal that is enough alone (`strong`), 1 for one that many harmless texts have.
 */
export type PromptRule = {
  readonly name: string;
  readonly category: PromptCategory;
  readonly parts: readonly string[];
  readonly weight: number;
  readonly strong: boolean;
  readonly gap: number;
  /** The order has to be given here, not spoken of: the first word stands at the start or after "please", "and", "you must". */
  readonly order?: boolean;
  /** Counts as a side effect or as data leaving, which makes a strong finding critical. */
  readonly acts?: boolean;
};

const strongWeight = 3;

/** All orders of the words of `parts`. */
function orders(parts: readonly string[]): string[][] {
  if (parts.length <= 1) return [[...parts]];
  return parts.flatMap((part, i) =>
    orders([...parts.slice(0, i), ...parts.slice(i + 1)]).map((rest) => [part, ...rest]),
  );
}

type Shape = { readonly gap?: number; readonly order?: boolean; readonly any?: boolean; readonly acts?: boolean };

/** `spec` is the row of classes; weight 3 and more is strong. */
function rule(category: PromptCategory, spec: string, weight: number, shape: Shape = {}): PromptRule[] {
  const parts = spec.split(' ');
  const rows = shape.any === true ? orders(parts) : [parts];
  return rows.map((row) => ({
    name: parts.join('-'),
    category,
    parts: row,
    weight,
    strong: weight >= strongWeight,
    gap: shape.gap ?? 12,
    ...(shape.order === true ? { order: true } : {}),
    ...(shape.acts === true ? { acts: true } : {}),
  }));
}

/** The rules in the order of the categories. Kept as data, so that a row is read, tested and counted on its own. */
export const promptRules: readonly PromptRule[] = [
  ...rule('role_override', 'drop earlier told', 3, { any: true }),
  ...rule('role_override', 'drop given told', 3, { any: true }),
  ...rule('role_override', 'drop told earlier', 3),
  ...rule('role_override', 'drop your told', 3, { gap: 8 }),
  ...rule('role_override', 'your told drop', 3, { gap: 8 }),
  ...rule('role_override', 'drop all told', 3, { gap: 6, order: true }),
  ...rule('role_override', 'all told drop', 2.6, { gap: 8 }),
  ...rule('role_override', 'told everything drop', 3, { gap: 8 }),
  ...rule('role_override', 'everything told drop', 3, { gap: 8 }),
  ...rule('role_override', 'drop everything earlier', 3, { gap: 8, order: true }),
  ...rule('role_override', 'drop everything given', 3, { gap: 8, order: true }),
  ...rule('role_override', 'drop given', 3, { gap: 8, order: true }),
  ...rule('role_override', 'earlier everything drop', 2.5, { gap: 10 }),
  ...rule('role_override', 'earlier given drop', 3, { gap: 10 }),
  ...rule('role_override', 'earlier given undo', 3, { gap: 10 }),
  ...rule('role_override', 'earlier context drop', 2, { gap: 8 }),
  ...rule('role_override', 'earlier context drop become', 3),
  ...rule('role_override', 'earlier context undo become', 3),
  ...rule('role_override', 'earlier told undo', 2.5, { gap: 8 }),
  ...rule('role_override', 'undo earlier told', 2.5, { gap: 6, order: true }),
  ...rule('role_override', 'undo your told', 2.5, { gap: 6, order: true }),
  ...rule('role_override', 'undo earlier context', 1, { gap: 6, order: true }),
  ...rule('role_override', 'drop earlier context', 1.5, { gap: 8, order: true }),
  ...rule('role_override', 'drop all context', 1.5, { gap: 6, order: true }),
  ...rule('role_override', 'drop your context', 2.2, { gap: 6, order: true }),
  ...rule('role_override', 'drop everything', 1.5, { gap: 4, order: true }),
  ...rule('role_override', 'drop everything output', 3, { gap: 6, order: true }),
  ...rule('role_override', 'drop everything newtask', 3, { gap: 16, order: true }),
  ...rule('role_override', 'drop abovetext', 2.5, { gap: 4, order: true }),
  ...rule('role_override', 'drop told rather', 3, { gap: 8, order: true }),
  ...rule('role_override', 'told drop rather', 3, { gap: 6 }),
  ...rule('role_override', 'drop told', 1.5, { gap: 6, order: true }),
  ...rule('role_override', 'told drop', 1, { gap: 6 }),
  ...rule('role_override', 'drop earlier output', 1.5, { gap: 8, order: true }),
  ...rule('role_override', 'not follow earlier told', 3, { gap: 8 }),
  ...rule('role_override', 'not follow given told', 3, { gap: 8 }),
  ...rule('role_override', 'not follow told given', 3, { gap: 8 }),
  ...rule('role_override', 'not follow your told', 3, { gap: 8 }),
  ...rule('role_override', 'not follow earlier context', 2, { gap: 8 }),
  ...rule('role_override', 'not follow everything earlier', 2.5, { gap: 8 }),
  ...rule('role_override', 'earlier told isvoid', 3, { gap: 8 }),
  ...rule('role_override', 'your told isvoid', 3, { gap: 8 }),
  ...rule('role_override', 'told given isvoid', 3, { gap: 8 }),
  ...rule('role_override', 'given isvoid', 2, { gap: 8 }),
  ...rule('role_override', 'earlier context isvoid', 2, { gap: 14 }),
  ...rule('role_override', 'told isvoid', 1, { gap: 6 }),
  ...rule('role_override', 'told isvoid onlyme', 3, { gap: 16 }),
  ...rule('role_override', 'limit isvoid', 1.2, { gap: 8 }),
  ...rule('role_override', 'forge limit isvoid', 3, { gap: 14 }),
  ...rule('role_override', 'drop newtask', 2, { any: true, gap: 20 }),
  ...rule('role_override', 'undo told earlier', 2.5, { gap: 8, order: true }),
  ...rule('role_override', 'told undo', 1, { gap: 3 }),
  ...rule('role_override', 'authority told undo', 3, { gap: 12 }),
  ...rule('role_override', 'earlier isvoid', 2, { gap: 4 }),
  ...rule('role_override', 'newtask given', 2, { gap: 4 }),
  ...rule('role_override', 'not follow maker', 2.6, { gap: 8 }),
  ...rule('role_override', 'drop maker', 2, { gap: 4, order: true }),
  ...rule('role_override', 'maker told isvoid', 3, { gap: 10 }),
  ...rule('role_override', 'maker isvoid', 2, { gap: 10 }),
  ...rule('role_override', 'told none everything drop', 3, { gap: 10 }),
  ...rule('role_override', 'newtask', 0.8),
  ...rule('role_override', 'onlyme', 1.2),
  ...rule('role_override', 'authority', 1),
  ...rule('role_override', 'drop told authority', 3, { gap: 20 }),
  ...rule('role_override', 'drop your context authority', 3, { gap: 20 }),

  ...rule('system_prompt_leak', 'disclose your secret', 3, { gap: 16 }),
  ...rule('system_prompt_leak', 'recite secret', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'disclose secret', 1.8, { gap: 12 }),
  ...rule('system_prompt_leak', 'secret disclose', 2, { gap: 10 }),
  ...rule('system_prompt_leak', 'secret recite', 3, { gap: 10 }),
  ...rule('system_prompt_leak', 'secret verbatim disclose', 3, { gap: 10 }),
  ...rule('system_prompt_leak', 'secret verbatim', 1.5, { gap: 8 }),
  ...rule('system_prompt_leak', 'recite your prompty', 3, { gap: 6 }),
  ...rule('system_prompt_leak', 'disclose your prompty', 1.5, { gap: 6 }),
  ...rule('system_prompt_leak', 'your prompty recite', 2, { gap: 8 }),
  ...rule('system_prompt_leak', 'recite prompty youwere', 3, { gap: 10 }),
  ...rule('system_prompt_leak', 'disclose prompty youwere', 2.5, { gap: 10 }),
  ...rule('system_prompt_leak', 'disclose secret youwere', 3, { gap: 10 }),
  ...rule('system_prompt_leak', 'disclose told youwere', 2.5, { gap: 10 }),
  ...rule('system_prompt_leak', 'prompty youwere', 1.5, { gap: 6 }),
  ...rule('system_prompt_leak', 'prompty youwere aboveprompt', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'disclose aboveprompt', 1.5, { gap: 10 }),
  ...rule('system_prompt_leak', 'secret youwere', 1.5, { gap: 6 }),
  ...rule('system_prompt_leak', 'disclose youwere', 1.2, { gap: 10 }),
  ...rule('system_prompt_leak', 'recite youwere', 2, { gap: 8 }),
  ...rule('system_prompt_leak', 'youwere abovetext', 2.5, { gap: 8 }),
  ...rule('system_prompt_leak', 'recite aboveprompt', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'aboveprompt recite', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'recite abovetext', 2.5, { gap: 6, order: true }),
  ...rule('system_prompt_leak', 'recite abovetext verbatim', 3, { gap: 12, order: true }),
  ...rule('system_prompt_leak', 'recite verbatim abovetext', 3, { gap: 12, order: true }),
  ...rule('system_prompt_leak', 'abovetext verbatim recite', 3, { gap: 10 }),
  ...rule('system_prompt_leak', 'abovetext recite', 1, { gap: 8 }),
  ...rule('system_prompt_leak', 'abovetext verbatim disclose', 2, { gap: 10 }),
  ...rule('system_prompt_leak', 'prompty verbatim recite', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'prompty verbatim disclose', 1.2, { gap: 8 }),
  ...rule('system_prompt_leak', 'recite verbatim prompty', 1.5, { gap: 6, order: true }),
  ...rule('system_prompt_leak', 'earlier prompty verbatim recite', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'given prompty verbatim disclose', 3, { gap: 8 }),
  ...rule('system_prompt_leak', 'given prompty recite', 2.5, { gap: 8 }),
  ...rule('system_prompt_leak', 'startwith confess', 3, { gap: 8 }),

  ...rule('jailbreak', 'become nolimit', 3, { gap: 14 }),
  ...rule('jailbreak', 'become limit isvoid', 3, { gap: 14 }),
  ...rule('jailbreak', 'become ainame limit isvoid', 3, { gap: 14 }),
  ...rule('jailbreak', 'limit isvoid ainame', 2.6, { gap: 14 }),
  ...rule('jailbreak', 'limit none ainame', 2.5, { gap: 8 }),
  ...rule('jailbreak', 'limit none ainame become', 3, { gap: 8 }),
  ...rule('jailbreak', 'authority limit none', 3, { gap: 12 }),
  ...rule('jailbreak', 'authority nolimit', 3, { gap: 16 }),
  ...rule('jailbreak', 'nolimit become', 2.6, { gap: 14 }),
  ...rule('jailbreak', 'nolimit ainame become', 3, { gap: 10 }),
  ...rule('jailbreak', 'nolimit ainame', 2, { gap: 6 }),
  ...rule('jailbreak', 'ainame nolimit', 2, { gap: 16 }),
  ...rule('jailbreak', 'nolimit', 0.8),
  ...rule('jailbreak', 'become ainame none limit', 3, { gap: 16 }),
  ...rule('jailbreak', 'ainame none limit', 2, { gap: 8 }),
  ...rule('jailbreak', 'become none limit', 1.5, { gap: 10 }),
  ...rule('jailbreak', 'none limit', 0.8, { gap: 4 }),
  ...rule('jailbreak', 'limit none disclose', 1, { gap: 8 }),
  ...rule('jailbreak', 'limit none nolimit', 3, { gap: 10 }),
  ...rule('jailbreak', 'limit none', 0.5, { gap: 3 }),
  ...rule('jailbreak', 'none limit nomatter anyharm', 3, { gap: 16 }),
  ...rule('jailbreak', 'nomatter anyharm', 1, { gap: 8 }),
  ...rule('jailbreak', 'become refuse', 1.5, { gap: 20 }),
  ...rule('jailbreak', 'ainame refuse', 1.5, { gap: 16 }),
  ...rule('jailbreak', 'refuse', 0.6),
  ...rule('jailbreak', 'refuse none limit', 2, { gap: 20 }),
  ...rule('jailbreak', 'none limit refuse', 2, { gap: 20 }),
  ...rule('jailbreak', 'become none limit refuse', 3, { gap: 20 }),
  ...rule('jailbreak', 'refuse anyharm', 1.5, { gap: 20 }),
  ...rule('jailbreak', 'become mode', 2.5, { gap: 6 }),
  ...rule('jailbreak', 'mode become', 2.6, { gap: 6 }),
  ...rule('jailbreak', 'become mode none limit', 3, { gap: 30 }),
  ...rule('jailbreak', 'mode become limit none', 3, { gap: 20 }),
  ...rule('jailbreak', 'mode become nolimit', 3, { gap: 20 }),
  ...rule('jailbreak', 'mode twoanswers', 3, { gap: 30 }),
  ...rule('jailbreak', 'mode drop limit', 3, { gap: 30 }),
  ...rule('jailbreak', 'mode nolimit', 3, { gap: 24 }),
  ...rule('jailbreak', 'twoanswers', 0.7),
  ...rule('jailbreak', 'twoanswers none limit', 3, { gap: 24 }),
  ...rule('jailbreak', 'become evil ainame', 3, { gap: 8 }),
  ...rule('jailbreak', 'become ainame evil', 2.5, { gap: 12 }),
  ...rule('jailbreak', 'become evil', 1.2, { gap: 8 }),
  ...rule('jailbreak', 'limit none instead', 0.8, { gap: 8 }),
  ...rule('jailbreak', 'refusal threat', 2.5, { gap: 14 }),
  ...rule('jailbreak', 'threat refusal', 2.5, { gap: 14 }),
  ...rule('jailbreak', 'grandma harmgoods', 3, { gap: 24 }),
  ...rule('jailbreak', 'game nolimit', 3, { gap: 20 }),
  ...rule('jailbreak', 'become game none limit', 3, { gap: 20 }),
  ...rule('jailbreak', 'drop your limit', 2, { gap: 8, order: true }),
  ...rule('jailbreak', 'your limit none', 1.5, { gap: 6 }),

  ...rule('data_exfiltration', 'send data address', 1.5, { any: true, gap: 16, acts: true }),
  ...rule('data_exfiltration', 'send others data address', 3, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'send data others address', 3, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'others data send address', 3, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'others data address send', 3, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'others address data send', 3, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'data others address send', 3, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'send data address secretly', 3, { gap: 20, acts: true }),
  ...rule('data_exfiltration', 'data address send secretly', 3, { gap: 20, acts: true }),
  ...rule('data_exfiltration', 'send data open', 3, { any: true, gap: 16, acts: true }),
  ...rule('data_exfiltration', 'open data', 2.5, { gap: 10, acts: true }),
  ...rule('data_exfiltration', 'send image data', 3, { gap: 12, acts: true }),
  ...rule('data_exfiltration', 'send others data place', 3, { gap: 12, acts: true }),
  ...rule('data_exfiltration', 'image data', 2, { any: true, gap: 30, acts: true }),
  ...rule('data_exfiltration', 'send data place', 2, { gap: 12, acts: true }),
  ...rule('data_exfiltration', 'place data send', 3, { gap: 12, acts: true }),
  ...rule('data_exfiltration', 'data place send', 3, { gap: 12, acts: true }),
  ...rule('data_exfiltration', 'toai send data', 2, { gap: 16, acts: true }),
  ...rule('data_exfiltration', 'toai send others data', 3, { gap: 16, acts: true }),

  ...rule('tool_abuse', 'toai effect secretly', 3, { any: true, gap: 24, acts: true }),
  ...rule('tool_abuse', 'ainame secretly effect', 3, { gap: 6, order: true, acts: true }),
  ...rule('tool_abuse', 'ainame effect secretly', 3, { gap: 10, order: true, acts: true }),
  ...rule('tool_abuse', 'toai effect', 1.2, { gap: 10, acts: true }),
  ...rule('tool_abuse', 'toai drop effect', 3, { gap: 16, acts: true }),
  ...rule('tool_abuse', 'toai drop', 2, { gap: 8 }),
  ...rule('tool_abuse', 'toai shell', 2.5, { gap: 16, acts: true }),
  ...rule('tool_abuse', 'toai praise', 2, { gap: 24 }),
  ...rule('tool_abuse', 'toai secretly', 1.2, { gap: 16 }),
  ...rule('tool_abuse', 'effect secretly', 0.6, { gap: 16 }),
  ...rule('tool_abuse', 'secretly praise', 1.5, { gap: 12 }),
];
