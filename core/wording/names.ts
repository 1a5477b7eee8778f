/** What codes of the log are called on a page, in English; `inJapanese` has the same in Japanese. */

/** The steps of every decision, which no policy has named. */
const steps: Readonly<Record<string, string>> = {
  bypass: 'Bypass list',
  exemption: 'Exemption',
  'learned bypass': 'Pinned client',
  anonymizers: 'Anonymizers',
  path: 'Path',
  portal: 'Gateway page',
  service: 'Registry',
  'service is_blocked': 'Service marked as blocked',
  'policy.unknown': 'Unregistered hosts',
  'policy.tools': 'Tools',
  'policy.tools.unknown_servers': 'Unknown MCP servers',
};

/** `category monitoring` → `Category: Monitoring`; the name of a rule of the policy stays. */
export function ruleName(rule: string): string {
  const [, kind, value] = /^(category|anonymizer|curated) (\S+)$/.exec(rule) ?? [];
  if (kind === 'category') return `Category: ${codeName(value ?? '')}`;
  if (kind === 'curated') return 'Built-in bypass list';
  return steps[kind === undefined ? rule : 'anonymizers'] ?? rule;
}

/** `confirmation_required` → `Confirmation required` */
export function codeName(code: string): string {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
}
