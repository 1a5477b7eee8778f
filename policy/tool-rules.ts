/**
 * What the rules say about tools and MCP servers. They decide about a request as any rule does; `then.tools` is asked for each
 * tool and server in it, of the rules whose other conditions hold, and the first that names the tool decides.
 */
import type { ToolAnswer } from './agent-settings.ts';
import type { Rule } from './rule.ts';
import { exactToolOf, namesServer, namesTool, type ToolSubject } from './tool-names.ts';

/** What is done about a tool, and the rule that says so. */
export type ToolVerdict = {
  readonly answer: ToolAnswer;
  readonly rule: string;
  /** A rule names it; otherwise the setting for unknown servers applies. */
  readonly isNamed: boolean;
};

/** A verdict in words. */
export type ToolExplanation = {
  readonly answer: ToolAnswer;
  readonly rule: string;
  readonly tried: { readonly rule: string; readonly matched: boolean; readonly why: string }[];
};

const unnamed: ToolVerdict = { answer: 'allow', rule: 'policy.tools', isNamed: false };
const answersMax = 5_000;

/** The rules that may decide about the tools of one request. */
export class ToolRules {
  readonly #rules: readonly Rule[];
  readonly #answers = new Map<string, ToolVerdict>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** No rule speaks of tools. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Some rule keeps a tool from being used. */
  get isEnforcing(): boolean {
    return this.#rules.some(({ outcome }) => outcome.tools === 'strip' || outcome.tools === 'block');
  }

  /** What is done about a tool, or about all of a server where `name` is left out. */
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

  /** Tools of a server that rules allow by their whole name, for a server that is otherwise not allowed. */
  allowedBy(server: string): string[] {
    const names = this.#rules.flatMap(({ config }) =>
      (config.when.tools ?? []).flatMap((entry) => exactToolOf(entry, server) ?? []),
    );
    return [...new Set(names)].filter((name) => {
      const { answer } = this.verdict({ server, name });
      return answer === 'allow' || answer === 'report';
    });
  }

  /** Tools that rules forbid by their whole name at this server; a name without a server may be no tool of it. */
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

/** No rule speaks of tools. */
export const noToolRules = new ToolRules([]);
