/** Sentences and codes of the log, as a page shows them. */
import { capitalized } from './capitalized.ts';
import { inJapanese } from './japanese.ts';

/** The wording in one language. */
export type Wording = {
  /** An English sentence of the gateway about a decision; any text that is not in the catalog is shown as written. */
  readonly sentence: (english: string) => string;
  /** `upstream_timeout` → `Upstream timeout` */
  readonly code: (code: string) => string;
  /** `category monitoring` → `Category: Monitoring`; the name of a rule of the policy stays. */
  readonly rule: (rule: string) => string;
};

/** The built-in steps of a decision. */
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

/** Names of the configuration in sentences for people. */
const fields: Readonly<Record<string, string>> = { upload_over: 'upload size', report_only: 'report only' };

const english: Wording = {
  sentence(text) {
    if (inJapanese(text) === text) return text;
    const named = text.replace(/\b(?:upload_over|report_only)\b/, (name) => fields[name] ?? name);
    // Only whole words: a host or an identifier at the start stays as it is.
    return named.replace(/^[a-z](?=[a-z]*[ :,])/, (first) => first.toUpperCase());
  },
  code: (code) => capitalized(code.replaceAll('_', ' ')),
  rule(rule) {
    const [, kind, value = ''] = /^(category|anonymizer|curated) (\S+)$/.exec(rule) ?? [];
    if (kind === 'category') return `Category: ${english.code(value)}`;
    if (kind === 'curated') return 'Built-in bypass list';
    if (/^exception [\da-f-]{36}$/.test(rule)) return 'Exception';
    return steps[kind === undefined ? rule : 'anonymizers'] ?? rule;
  },
};

const japanese: Wording = {
  sentence: inJapanese,
  code: (code) => inJapanese(english.code(code)),
  rule(rule) {
    const step = english.rule(rule);
    return step === rule ? rule : inJapanese(step);
  },
};

/** The wording in a language. */
export const wordingIn = (language: 'en' | 'ja'): Wording => ({ en: english, ja: japanese })[language];
