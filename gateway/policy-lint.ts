/** Policy lint for a configuration, with positions in its file. */
import type { YamlText } from '../config/document.ts';
import { problemOf } from '../config/fault.ts';
import { type Config, formatProblem, type Problem } from '../config/load.ts';
import { nearestName } from '../config/nearest.ts';
import { type LintFinding, policyLint } from '../policy/policy-lint.ts';
import type { Service } from '../policy/service.ts';

/** Lint findings for `policy.rules`, in rule order; `yaml` is the file, if there is one. */
export function ruleProblems(options: {
  readonly config: Pick<Config, 'policy' | 'auth' | 'listen'>;
  /** Undefined: do not check whether services exist. */
  readonly services: Iterable<Service> | undefined;
  readonly file: string;
  readonly yaml: YamlText | undefined;
  readonly now?: Date;
}): Problem[] {
  const { config, services, file, yaml, now } = options;
  const { rules, bypass } = config.policy;
  const known = { ...(services === undefined ? {} : { services }), nearest: nearestName, ...knownSubjects(config) };
  const findings = policyLint({ rules, bypass, known, ...(now === undefined ? {} : { now }) });
  if (findings.length === 0) return [];
  return findings.map((finding): Problem => {
    const path = ['policy', 'rules', ...finding.path];
    return problemOf({ path, message: withOther(finding, rules, yaml) }, { file, yaml });
  });
}

/** Like {@link ruleProblems}, as lines of text. */
export function ruleWarnings(options: Parameters<typeof ruleProblems>[0]): string[] {
  return ruleProblems(options).map(formatProblem);
}

function withOther(
  { message, other }: LintFinding,
  rules: Config['policy']['rules'],
  yaml: YamlText | undefined,
): string {
  if (other === undefined) return message;
  const line = yaml?.positionOfValue(['policy', 'rules', other]).line;
  const name = rules[other]?.name ?? `rule ${other + 1}`;
  return message.replace('{other}', `rule "${name}"${line === undefined ? '' : ` (line ${line})`}`);
}

/** Users and groups of the configuration, if it lists all of them; a users file or certificates may add more. */
function knownSubjects({ auth, listen }: Pick<Config, 'auth' | 'listen'>): {
  users?: Set<string>;
  groups?: Set<string>;
} {
  const { proxy, networks } = auth;
  if (proxy.users_file !== null || (listen.proxy_tls !== null && listen.proxy_tls.client_cert !== 'none')) return {};
  const users = proxy.mode === 'basic' ? proxy.users : [];
  const groups = [...users.flatMap((user) => user.groups), ...Object.values(networks)];
  return { users: new Set(users.map((user) => user.name)), groups: new Set(groups) };
}
