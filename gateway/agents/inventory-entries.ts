/** What is known of tools, MCP servers and programs, and how two replicas' knowledge becomes one. */

/** What people have decided about a tool or server; `seen` until they have. */
export type EntryState = 'seen' | 'approved' | 'denied';

/** Who uses it: each list is bounded, and the first ones stay. Times are RFC 3339 in UTC. */
export type Usage = {
  readonly users: readonly string[];
  readonly services: readonly string[];
  readonly agents: readonly string[];
  readonly first_seen: string;
  readonly last_seen: string;
};

/** A definition in its canonical form with the SHA-256 of it. */
export type PinnedDefinition = { readonly hash: string; readonly definition: string };

/** A tool; its definition is pinned at first sight. */
export type ToolEntry = Usage & {
  readonly server: string | null;
  readonly name: string;
  readonly pinned: PinnedDefinition;
  /** What came in place of the pinned one, until somebody approves it. */
  readonly changed: (PinnedDefinition & { readonly at: string }) | null;
  /** Kinds of findings in the definition that came last. */
  readonly findings: readonly string[];
  readonly state: EntryState;
  readonly decided_at: string | null;
};

/** An MCP server; the names of its tools are pinned as a set. */
export type ServerEntry = Usage & {
  readonly id: string;
  /**
   * `remote`: spoken to through the gateway; `provider`: named for the provider to connect to; `local`: by its tools only;
   * `agent`: an agent that is spoken to by A2A.
   */
  readonly kind: 'remote' | 'provider' | 'local' | 'agent';
  readonly tools: readonly string[];
  /** SHA-256 of the set. */
  readonly set_hash: string;
  /** All pages of its list have been seen, so that a further tool is a change. */
  readonly is_complete: boolean;
  /** Tools that came later. */
  readonly added: readonly string[];
  readonly state: EntryState;
  readonly decided_at: string | null;
};

/** A program, as it names itself. */
export type AgentEntry = Omit<Usage, 'agents'> & {
  readonly agent: string;
  readonly servers: readonly string[];
  readonly requests: number;
};

/** Who uses something now. */
export type Use = { readonly user: string; readonly service: string; readonly agent: string; readonly at: string };

const listMax = 50;

/** The list with one more, as far as there is room. */
export function withOne(list: readonly string[], one: string): readonly string[] {
  return one === '' || list.includes(one) || list.length >= listMax ? list : [...list, one];
}

/** The usage of something that is used for the first time. */
export function firstUse({ user, service, agent, at }: Use): Usage {
  const one = (name: string) => (name === '' ? [] : [name]);
  return { users: one(user), services: one(service), agents: one(agent), first_seen: at, last_seen: at };
}

/** The usage with one more use. */
export function nextUse(before: Usage, { user, service, agent, at }: Use): Usage {
  return {
    users: withOne(before.users, user),
    services: withOne(before.services, service),
    agents: withOne(before.agents, agent),
    first_seen: before.first_seen,
    last_seen: at,
  };
}

/** What another replica has written together with ours: its decision where it is later, and the pin that was first. */
export function mergedTool(known: ToolEntry | undefined, own: ToolEntry): ToolEntry {
  if (known === undefined) return own;
  const usage = mergedUsage(known, own);
  if ((known.decided_at ?? '') > (own.decided_at ?? '')) {
    const { pinned, changed, state, decided_at } = known;
    return { ...own, ...usage, pinned, changed, state, decided_at };
  }
  if (own.decided_at !== null || known.pinned.hash === own.pinned.hash) return { ...own, ...usage };
  const changed = own.changed ?? known.changed ?? { ...own.pinned, at: own.last_seen };
  return { ...own, ...usage, pinned: known.pinned, changed };
}

/** The same for servers: a set that was complete stays. */
export function mergedServer(known: ServerEntry | undefined, own: ServerEntry): ServerEntry {
  if (known === undefined) return own;
  const usage = mergedUsage(known, own);
  if ((known.decided_at ?? '') > (own.decided_at ?? '')) return { ...known, ...usage };
  return { ...own, ...usage };
}

/** The same for programs. */
export function mergedAgent(known: AgentEntry | undefined, own: AgentEntry): AgentEntry {
  if (known === undefined) return own;
  const { agents: _none, ...usage } = mergedUsage({ ...known, agents: [] }, { ...own, agents: [] });
  const servers = known.servers.reduce(withOne, own.servers);
  return { ...own, ...usage, servers, requests: Math.max(known.requests, own.requests) };
}

function mergedUsage(a: Usage, b: Usage): Usage {
  return {
    users: a.users.reduce(withOne, b.users),
    services: a.services.reduce(withOne, b.services),
    agents: a.agents.reduce(withOne, b.agents),
    first_seen: a.first_seen < b.first_seen ? a.first_seen : b.first_seen,
    last_seen: a.last_seen > b.last_seen ? a.last_seen : b.last_seen,
  };
}
