/**
 * The inventory of tools, MCP servers and programs, with their users and pinned definitions. It is kept in the store, so it
 * survives restarts; decisions reach every replica within a second.
 */
import { hash } from 'node:crypto';
import { PrivetError } from '../../core/errors.ts';
import { plainField } from '../observe/field.ts';
import type { Log } from '../observe/log.ts';
import { changeRecords } from '../stores/records.ts';
import type { Stores } from '../stores/stores.ts';
import {
  type AgentEntry,
  firstUse,
  mergedAgent,
  mergedServer,
  mergedTool,
  nextUse,
  type PinnedDefinition,
  type ServerEntry,
  type ToolEntry,
  type Use,
  withOne,
} from './inventory-entries.ts';

/** A tool as received. A program's own functions are stored under its name, since every program may have a `search`. */
export type SeenTool = {
  readonly server?: string | undefined;
  readonly name: string;
  readonly hash: string;
  /** The canonical text; called only where it is stored. */
  readonly definition: () => string;
  readonly findings: readonly string[];
  /** Read from the server by the provider, and repeated in the provider's own format. */
  readonly isListing?: boolean | undefined;
};

/** A tool compared with its pin: `added` if all tools of its server were known. */
export type PinFinding = 'changed' | 'added' | undefined;

type Entries = { tool: ToolEntry; server: ServerEntry; agent: AgentEntry };
type Kind = keyof Entries;

const prefixes: Readonly<Record<Kind, string>> = { tool: 't:', server: 's:', agent: 'a:' };
const max: Readonly<Record<Kind, number>> = { tool: 5_000, server: 1_000, agent: 500 };
/** Longer definitions are compared by hash and shown in part. */
const definitionMax = 16_384;
const namesMax = 500;
const flushMs = 1_000;
/** Minimum time between two stored uses. */
const staleMs = 10 * 60_000;

export type InventoryOptions = {
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened'>;
  readonly log: Log;
  readonly now?: () => number;
};

/** See the head of this file. */
export class Inventory {
  readonly #options: InventoryOptions;
  readonly #now: () => number;
  readonly #entries: { [K in Kind]: Map<string, Entries[K]> } = {
    tool: new Map(),
    server: new Map(),
    agent: new Map(),
  };
  readonly #dirty = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  readonly #endListening: () => void;
  /** Denied tools and servers; checked on every request. */
  #denied = 0;

  constructor(options: InventoryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { stores } = options;
    this.#endListening = stores.changes.onChange(({ kind, ids }) => {
      if (kind === 'agent') void this.#follow(ids);
    });
    stores.opened.then(
      () => this.#follow(),
      () => {},
    );
  }

  /** Whether any tool or server is denied. */
  get hasDenied(): boolean {
    return this.#denied > 0;
  }

  seeTool(tool: SeenTool, use: Omit<Use, 'at'>): PinFinding {
    const id = toolId(tool, use.agent);
    const entries = this.#entries.tool;
    const before = entries.get(id);
    const at = this.#at();
    if (before === undefined) {
      this.#put('tool', id, {
        server: tool.server === undefined ? null : shown(tool.server),
        name: shown(tool.name),
        pinned: pinnedOf(tool),
        changed: null,
        findings: tool.findings,
        state: 'seen',
        decided_at: null,
        ...firstUse({ ...use, at }),
      });
      return undefined;
    }
    const isPinned = before.pinned.hash === tool.hash;
    const isNews = !isPinned && before.changed?.hash !== tool.hash;
    const isUse = isNewUse(before, use, this.#now());
    if (isNews || isUse) {
      const changed = isNews ? { ...pinnedOf(tool), at } : before.changed;
      this.#put('tool', id, { ...before, ...nextUse(before, { ...use, at }), findings: tool.findings, changed });
    }
    return isPinned ? undefined : 'changed';
  }

  /**
   * Records a server with its tools; returns the names missing in its pinned set. `isWhole`: these are all tools, or all
   * that the program uses.
   */
  seeServer(
    server: { readonly id: string; readonly kind: ServerEntry['kind'] },
    names: readonly string[],
    use: Omit<Use, 'at'>,
    isWhole = true,
  ): ReadonlySet<string> {
    const id = shown(server.id);
    const before = this.#entries.server.get(id);
    const at = this.#at();
    const own = [...new Set(names.map(shown))].slice(0, namesMax);
    if (before === undefined) {
      const kept = { ...server, id, tools: own, set_hash: setHash(own), added: [] };
      const isComplete = isWhole && own.length > 0;
      this.#put('server', id, {
        ...kept,
        is_complete: isComplete,
        state: 'seen',
        decided_at: null,
        ...firstUse({ ...use, at }),
      });
      return new Set();
    }
    const unknown = own.filter((name) => !before.tools.includes(name));
    const news = unknown.filter((name) => !before.added.includes(name));
    const grows = unknown.length > 0 && !before.is_complete;
    const completes = isWhole && !before.is_complete && own.length > 0;
    if (news.length > 0 || completes || isNewUse(before, use, this.#now())) {
      const tools = grows ? [...before.tools, ...unknown].slice(0, namesMax) : before.tools;
      const added = grows ? before.added : [...before.added, ...news].slice(0, namesMax);
      this.#put('server', id, {
        ...before,
        ...nextUse(before, { ...use, at }),
        kind: server.kind === 'local' ? before.kind : server.kind,
        tools,
        added,
        set_hash: setHash(tools),
        is_complete: before.is_complete || completes,
      });
    }
    return new Set(grows ? [] : unknown);
  }

  seeAgent(servers: readonly string[], use: Omit<Use, 'at'>): void {
    const { agent } = use;
    if (agent === '') return;
    const at = this.#at();
    const id = shown(agent);
    const before = this.#entries.agent.get(id);
    if (before === undefined) {
      const { agents: _own, ...usage } = firstUse({ ...use, at });
      this.#put('agent', id, { agent: id, servers: servers.map(shown).slice(0, 50), requests: 1, ...usage });
      return;
    }
    const { agents: _own, ...usage } = nextUse({ ...before, agents: [] }, { ...use, at });
    const all = servers.reduce((list, one) => withOne(list, shown(one)), before.servers);
    const next = { ...before, ...usage, servers: all, requests: before.requests + 1 };
    const isNews = all !== before.servers || isNewUse({ ...before, agents: [agent] }, use, this.#now());
    if (isNews) this.#put('agent', id, next);
    else this.#entries.agent.set(id, next);
  }

  /** The decision about a tool, or about the server if `name` is left out. */
  stateOf(tool: { readonly server?: string | undefined; readonly name?: string | undefined }, agent: string) {
    const server = tool.server === undefined ? undefined : this.#entries.server.get(shown(tool.server));
    if (tool.name === undefined || server?.state === 'denied') return server?.state ?? 'seen';
    const ref = { server: tool.server, name: tool.name };
    const states = [false, true].map(
      (isListing) => this.#entries.tool.get(toolId({ ...ref, isListing }, agent))?.state,
    );
    return states.find((state) => state === 'denied') ?? states[0] ?? 'seen';
  }

  /** The known tools of a server that are not denied. */
  toolsOf(server: string): readonly string[] {
    return this.#entries.server.get(shown(server))?.tools ?? [];
  }

  list<K extends Kind>(kind: K): ReadonlyMap<string, Entries[K]> {
    return this.#entries[kind];
  }

  /**
   * Records a decision about a tool. Approving pins the latest definition.
   * @throws PrivetError `not_found`, `unavailable` without the store.
   */
  async decideTool(id: string, state: EntryStateWish): Promise<ToolEntry> {
    const before = this.#entries.tool.get(id);
    if (before === undefined) throw new PrivetError('not_found', 'There is no tool with this id.');
    const { changed } = before;
    const isTaken = state === 'approved' && changed !== null;
    const pinned = isTaken ? { hash: changed.hash, definition: changed.definition } : before.pinned;
    const next = { ...before, state, pinned, changed: isTaken ? null : changed, decided_at: this.#at() };
    await this.#decide('tool', id, next);
    const server = before.server === null ? undefined : this.#entries.server.get(before.server);
    if (state === 'approved' && server?.added.includes(before.name)) {
      const tools = [...server.tools, before.name];
      const added = server.added.filter((name) => name !== before.name);
      await this.#decide('server', server.id, { ...server, tools, added, set_hash: setHash(tools) });
    }
    return next;
  }

  /** The same for a server and its set of tools. */
  async decideServer(id: string, state: EntryStateWish): Promise<ServerEntry> {
    const before = this.#entries.server.get(id);
    if (before === undefined) throw new PrivetError('not_found', 'There is no MCP server with this name.');
    const tools = state === 'approved' ? [...before.tools, ...before.added] : before.tools;
    const added = state === 'approved' ? [] : before.added;
    const next = { ...before, state, tools, added, set_hash: setHash(tools), decided_at: this.#at() };
    await this.#decide('server', id, next);
    return next;
  }

  /** Writes pending changes, and stops. */
  async close(): Promise<void> {
    this.#endListening();
    clearTimeout(this.#timer);
    await this.#flush();
    await this.#writing;
  }

  #at(): string {
    return new Date(this.#now()).toISOString();
  }

  async #decide<K extends 'tool' | 'server'>(kind: K, id: string, entry: Entries[K]): Promise<void> {
    await this.#options.stores.records.write('agent', new Map([[prefixes[kind] + id, entry]]));
    this.#set(kind, id, entry);
  }

  #put<K extends Kind>(kind: K, id: string, entry: Entries[K]): void {
    if (!this.#entries[kind].has(id) && this.#entries[kind].size >= max[kind]) this.#makeRoom(kind);
    this.#set(kind, id, entry);
    this.#dirty.add(prefixes[kind] + id);
    this.#timer ??= setTimeout(() => void this.#flush(), flushMs).unref();
  }

  #set<K extends Kind>(kind: K, id: string, entry: Entries[K]): void {
    const before = this.#entries[kind].get(id);
    this.#denied += Number(isDenied(entry)) - Number(before !== undefined && isDenied(before));
    this.#entries[kind].set(id, entry);
  }

  /** Evicts the least recently seen entry; those with a decision go last. */
  #makeRoom(kind: Kind): void {
    let oldest: string | undefined;
    let oldestAt = '\uffff';
    for (const [id, entry] of this.#entries[kind] as Map<string, Entries[Kind]>) {
      const isDecided = 'decided_at' in entry && entry.decided_at !== null;
      const at = (isDecided ? '~' : '') + entry.last_seen;
      if (at < oldestAt) [oldest, oldestAt] = [id, at];
    }
    if (oldest === undefined) return;
    const gone = this.#entries[kind].get(oldest);
    if (gone !== undefined && isDenied(gone)) this.#denied--;
    this.#entries[kind].delete(oldest);
    this.#dirty.add(prefixes[kind] + oldest);
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    const ids = [...this.#dirty];
    this.#dirty.clear();
    if (ids.length === 0) return;
    const { records } = this.#options.stores;
    const written = changeRecords({
      records,
      kind: 'agent',
      read: () => records.get('agent', ids),
      decide: (set) => ({
        changes: new Map(ids.map((id) => [id, this.#merged(id, set.records.get(id))])),
        result: undefined,
      }),
    }).catch((error: unknown) => {
      for (const id of ids) this.#dirty.add(id);
      this.#timer ??= setTimeout(() => void this.#flush(), 10 * flushMs).unref();
      this.#options.log.warn({ event: 'agents_not_stored', error }, 'the inventory of tools is not stored');
    });
    this.#writing = Promise.all([this.#writing, written]);
    await written;
  }

  #merged(recordId: string, known: unknown): unknown {
    const [prefix, id] = [recordId.slice(0, 2), recordId.slice(2)];
    const { tool, server, agent } = this.#entries;
    if (prefix === prefixes.tool)
      return tool.has(id) ? mergedTool(known as ToolEntry, tool.get(id) as ToolEntry) : null;
    if (prefix === prefixes.server)
      return server.has(id) ? mergedServer(known as ServerEntry, server.get(id) as ServerEntry) : null;
    return agent.has(id) ? mergedAgent(known as AgentEntry, agent.get(id) as AgentEntry) : null;
  }

  async #follow(ids?: readonly string[]): Promise<void> {
    const { records, changes } = this.#options.stores;
    try {
      const set = ids === undefined ? await records.list('agent') : await records.get('agent', ids);
      for (const [recordId, entry] of set.records) {
        const id = recordId.slice(2);
        const kind = (Object.keys(prefixes) as Kind[]).find((one) => recordId.startsWith(prefixes[one]));
        if (kind === undefined || this.#dirty.has(recordId)) continue;
        this.#set(kind, id, entry as never);
      }
    } catch (error) {
      this.#options.log.warn({ event: 'agents_not_read', error }, 'the inventory of tools could not be read');
      changes.again('agent');
    }
  }
}

/** Possible decisions; `seen` reverts one. */
export type EntryStateWish = 'approved' | 'denied' | 'seen';

/** The id of a tool, for the API: the same on every replica. */
function toolId(tool: Pick<SeenTool, 'server' | 'name' | 'isListing'>, agent: string): string {
  const { server, isListing = false } = tool;
  const scope = server === undefined ? `agent ${agent}` : `${isListing ? 'listing' : 'server'} ${server}`;
  return hash('sha256', `${scope}\0${tool.name}`).slice(0, 24);
}

function setHash(names: readonly string[]): string {
  return hash('sha256', JSON.stringify([...names].sort()));
}

function pinnedOf({ hash: own, definition }: SeenTool): PinnedDefinition {
  const text = definition();
  return { hash: own, definition: text.length > definitionMax ? `${text.slice(0, definitionMax)}…` : text };
}

function isDenied(entry: Entries[Kind]): boolean {
  return 'state' in entry && entry.state === 'denied';
}

function isNewUse(
  before: { users: readonly string[]; services: readonly string[]; agents: readonly string[]; last_seen: string },
  { user, service, agent }: Omit<Use, 'at'>,
  now: number,
): boolean {
  const isMissing = (list: readonly string[], one: string) => withOne(list, one) !== list;
  if (isMissing(before.users, user) || isMissing(before.services, service) || isMissing(before.agents, agent))
    return true;
  return now - Date.parse(before.last_seen) > staleMs;
}

/** An external name, as it is stored and shown. */
function shown(name: string): string {
  return plainField(name, 200);
}
