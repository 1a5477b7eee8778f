/**
 * Rules about tools and MCP servers. Among the rules whose other conditions match the request, the first that matches a
 * tool or server in it decides about it with `then.tools`.
 */
import type { ToolAnswer } from './agent-settings.ts';
import type { Rule } from './rule.ts';
import { exactToolOf, namesServer, namesTool, type ToolSubject } from './tool-names.ts';

export type ToolVerdict = {
  readonly answer: ToolAnswer;
  readonly rule: string;
  /** A rule matches it; otherwise the setting for unknown servers applies. */
  readonly isNamed: boolean;
};

export type ToolExplanation = {
  readonly answer: ToolAnswer;
  readonly rule: string;
  readonly tried: { readonly rule: string; readonly matched: boolean; readonly why: string }[];
};

const unnamed: ToolVerdict = { answer: 'allow', rule: 'policy.tools', isNamed: false };
const answersMax = 5_000;

/** The tool rules that apply to one request. */
export class ToolRules {
  readonly #rules: readonly Rule[];
  readonly #answers = new Map<string, ToolVerdict>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** There are no tool rules. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Some rule strips or blocks a tool. */
  get isEnforcing(): boolean {
    return this.#rules.some(({ outcome }) => outcome.tools === 'strip' || outcome.tools === 'block');
  }

  /** The verdict about a tool, or about all tools of a server if `name` is absent. */
  verdict(subject: ToolSubject): ToolVerdict {
    if (this.#rules.length === 0) return unnamed;
    const key = `${subject.server ?? ''}\0${subject.name ?? ''}`;
    let verdict = this.#answers.get(key);
    if (verdict === undefined) {
      verdict = this.#find(subject);
      if (this.#answers.size < answersMax) this.#answers.set(key, verdict);
    }
    return verdict;
  }

  /** Tools of a server that rules allow by exact name, although the server itself is not allowed. */
  allowedBy(server: string): string[] {
    const names = this.#rules.flatMap(({ config }) =>
      (config.when.tools ?? []).flatMap((entry) => exactToolOf(entry, server) ?? []),
    );
    return [...new Set(names)].filter((name) => {
      const { answer } = this.verdict({ server, name });
      return answer === 'allow' || answer === 'report';
    });
  }

  /**
   * Tools of a server that rules forbid by exact name. Names without a server are left out: the server may not have
   * them.
   */
  forbiddenBy(server: string): string[] {
    const names = this.#rules.flatMap(({ config: { when } }) => {
      const own = (when.tools ?? []).filter((entry) => entry.includes('/') || when.mcp_servers !== undefined);
      return own.flatMap((entry) => exactToolOf(entry, server) ?? []);
    });
    return [...new Set(names)].filter((name) => {
      const { answer } = this.verdict({ server, name });
      return answer === 'strip' || answer === 'block';
    });
  }

  #find(subject: ToolSubject): ToolVerdict {
    for (const { config, outcome, name } of this.#rules) {
      const { mcp_servers: servers, tools } = config.when;
      if (servers !== undefined) {
        const { server } = subject;
        if (server === undefined || !servers.some((entry) => namesServer(entry, server))) continue;
      }
      if (tools !== undefined && !tools.some((entry) => namesTool(entry, subject))) continue;
      const isNamed = servers !== undefined || tools !== undefined;
      return { answer: outcome.tools ?? 'allow', rule: name, isNamed };
    }
    return unnamed;
  }
}

export const noToolRules = new ToolRules([]);
