/** Inventory records of tools, MCP servers and programs, and merging those of two replicas. */

/** An administrator's decision about a tool or server; `seen` until then. */
export type EntryState = 'seen' | 'approved' | 'denied';

/** Its users: each list is bounded and keeps the first ones. Times are RFC 3339 in UTC. */
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
  /** The definition that replaced the pinned one, until approved. */
  readonly changed: (PinnedDefinition & { readonly at: string }) | null;
  /** Kinds of findings in the latest definition. */
  readonly findings: readonly string[];
  readonly state: EntryState;
  readonly decided_at: string | null;
};

/** An MCP server; the names of its tools are pinned as a set. */
export type ServerEntry = Usage & {
  readonly id: string;
  /**
   * `remote`: called through the gateway; `provider`: the provider connects to it; `local`: known only by its tools;
   * `agent`: an agent called over A2A.
   */
  readonly kind: 'remote' | 'provider' | 'local' | 'agent';
  readonly tools: readonly string[];
  /** SHA-256 of the set. */
  readonly set_hash: string;
  /** All pages of its list were seen, so any further tool is a change. */
  readonly is_complete: boolean;
  /** Tools added later. */
  readonly added: readonly string[];
  readonly state: EntryState;
  readonly decided_at: string | null;
};

/** A program, by its own name. */
export type AgentEntry = Omit<Usage, 'agents'> & {
  readonly agent: string;
  readonly servers: readonly string[];
  readonly requests: number;
};

/** The current user of something. */
export type Use = { readonly user: string; readonly service: string; readonly agent: string; readonly at: string };

const listMax = 50;

/** The list with one more entry, up to the maximum. */
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

/** Merges another replica's record with ours: the later decision and the earlier pin win. */
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

/** The same for servers: a complete set stays. */
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
