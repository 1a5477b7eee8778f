/**
 * Decides about the tools and MCP servers that a request offers to a model, or that a server lists, by rules, decisions of
 * administrators, pins, and problems of a definition. The strictest result wins.
 */
import { pointerOf } from '../../core/agents/keys.ts';
import type { NamedServer, ToolDefinition } from '../../core/agents/model-request.ts';
import type { Change } from '../../core/agents/strip.ts';
import { toolText } from '../../core/agents/tool-names.ts';
import type { ServerForm } from '../../core/formats/agents.ts';
import { wireFormats } from '../../core/formats/index.ts';
import type { ToolAnswer, ToolSettings } from '../../policy/agent-settings.ts';
import type { ToolRules } from '../../policy/tool-rules.ts';
import type { DefinitionScanner } from './definitions.ts';
import { type AgentFacts, addFinding, type FindingKind, type ToolFinding } from './facts.ts';
import type { Inventory } from './inventory.ts';
import type { Use } from './inventory-entries.ts';

export type ReviewParts = {
  readonly inventory: Inventory;
  readonly scanner: DefinitionScanner;
  readonly rules: ToolRules;
  readonly settings: ToolSettings;
  readonly use: Omit<Use, 'at'>;
  readonly facts: AgentFacts;
};

/** The result of a review. `refused`: the finding that refuses the request. */
export type Review = { readonly changes: readonly Change[]; readonly refused: ToolFinding | undefined };

const rank: Readonly<Record<string, number>> = { off: 0, allow: 0, report: 1, strip: 2, block: 3 };

type Reviewed = Pick<ToolDefinition, 'server' | 'name' | 'keys' | 'definition' | 'isListing'>;

/** Options of a review. `isWhole`: these are all tools of their servers. */
type How = {
  readonly kind: 'local' | 'remote';
  readonly isWhole?: boolean;
  /** A tool that would refuse the request is removed. */
  readonly stripsBlocked?: boolean;
};

export function reviewTools(parts: ReviewParts, tools: readonly Reviewed[], how: How): Review {
  const { inventory, scanner, settings, use } = parts;
  const changes: Change[] = [];
  let refused: ToolFinding | undefined;
  const added = setsOf(parts, tools, how);
  const scanned = scanner.scan(tools);
  for (const [i, tool] of tools.entries()) {
    const one = scanned[i];
    if (one === undefined) continue;
    const findings = one.findings.map(({ kind: what, keys, signs }) => ({
      what,
      keys: [...tool.keys, ...keys],
      signs,
    }));
    const { isListing } = tool;
    const pin = inventory.seeTool({ ...one, isListing, findings: findings.map(({ what }) => what) }, use);
    let worst: ToolFinding | undefined;
    const note = (found: FindingKind, answer: ToolFinding['answer'], more: Partial<ToolFinding> = {}) => {
      if (rank[answer] === 0) return;
      const finding = { kind: found, tool: toolText(tool), place: pointerOf(tool.keys), answer, ...more };
      addFinding(parts.facts, finding);
      if ((rank[answer] ?? 0) > (rank[worst?.answer ?? 'off'] ?? 0)) worst = finding;
    };
    const { answer, rule, isUnknown } = verdictOf(parts, tool);
    // Report an unknown server once, not once per tool.
    if (isUnknown && tool.server !== undefined) note('unknown_server', answer, { rule, tool: tool.server });
    else if (answer !== 'allow') note('not_allowed', answer, { rule });
    if (inventory.hasDenied && inventory.stateOf(tool, use.agent) === 'denied') note('denied', 'strip');
    if (pin === 'changed') note('changed', settings.pins);
    if (tool.server !== undefined && added.get(tool.server)?.has(tool.name)) note('added', settings.pins);
    for (const { what, keys, signs } of findings) note(what, settings.poisoning, { place: pointerOf(keys), signs });
    const answered = worst?.answer;
    if (answered === 'strip' || (answered === 'block' && how.stripsBlocked)) changes.push({ keys: tool.keys });
    else if (answered === 'block') refused ??= worst;
  }
  return { changes, refused };
}

/** Per server, the names missing in its pinned set. */
function setsOf(
  { inventory, use }: ReviewParts,
  tools: readonly Reviewed[],
  { kind, isWhole = true }: How,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byServer = new Map<string, string[]>();
  for (const { server, name } of tools) {
    if (server === undefined) continue;
    const names = byServer.get(server);
    if (names === undefined) byServer.set(server, [name]);
    else names.push(name);
  }
  const added = new Map<string, ReadonlySet<string>>();
  for (const [server, names] of byServer)
    added.set(server, inventory.seeServer({ id: server, kind }, names, use, isWhole));
  return added;
}

/** The rule for a tool, or the setting for unknown servers. */
export function verdictOf(
  { rules, settings, inventory, use }: Pick<ReviewParts, 'rules' | 'settings' | 'inventory' | 'use'>,
  tool: { readonly server?: string | undefined; readonly name?: string | undefined },
): { readonly answer: ToolAnswer; readonly rule: string; readonly isUnknown: boolean } {
  const { answer, rule, isNamed } = rules.verdict(tool);
  const { server } = tool;
  if (isNamed || answer !== 'allow' || server === undefined) return { answer, rule, isUnknown: false };
  if (inventory.stateOf({ server }, use.agent) === 'approved') return { answer, rule: 'approved', isUnknown: false };
  return { answer: settings.unknown_servers, rule: 'policy.tools.unknown_servers', isUnknown: true };
}

/** Reviews the servers that a request names for the provider to connect to. */
export function reviewServers(parts: ReviewParts, servers: readonly NamedServer[]): Review {
  const changes: Change[] = [];
  let refused: ToolFinding | undefined;
  for (const server of servers) {
    parts.inventory.seeServer({ id: server.id, kind: 'provider' }, server.allowedTools ?? [], parts.use, false);
    const one = reviewServer(parts, server);
    changes.push(...one.changes);
    refused ??= one.refused;
  }
  return { changes, refused };
}

function reviewServer(parts: ReviewParts, server: NamedServer): Review {
  const { id, keys } = server;
  const { inventory, rules, settings, use } = parts;
  const whole = verdictOf(parts, { server: id });
  const isDenied = inventory.stateOf({ server: id }, use.agent) === 'denied';
  const answer = isDenied ? 'strip' : whole.answer;
  const kind: FindingKind = isDenied ? 'denied' : whole.isUnknown ? 'unknown_server' : 'not_allowed';
  const finding: ToolFinding = { kind, tool: id, place: pointerOf(keys), answer, rule: whole.rule };
  if (answer !== 'allow') addFinding(parts.facts, finding);
  const isOpen = answer === 'allow' || answer === 'report';
  const names = isOpen ? openTools(parts, server) : isDenied ? [] : narrowedTools(rules, server);
  if (!isOpen && names?.length === 0) {
    if (answer === 'block') return { changes: [], refused: finding };
    return { changes: withoutServer(server), refused: undefined };
  }
  const asksAlways = settings.approval === 'always';
  if (asksAlways && !formOf(server).asks) {
    const rule = 'policy.tools.approval';
    addFinding(parts.facts, { kind: 'not_allowed', tool: id, place: pointerOf(keys), answer: 'strip', rule });
    return { changes: withoutServer(server), refused: undefined };
  }
  if (names === undefined && !asksAlways) return { changes: [], refused: undefined };
  if (names !== undefined) {
    const tools = `${id}/*`;
    addFinding(parts.facts, {
      kind: 'not_allowed',
      tool: tools,
      place: pointerOf(keys),
      answer: 'strip',
      rule: whole.rule,
    });
  }
  return { changes: narrowed(parts, server, names, asksAlways), refused: undefined };
}

function withoutServer({ keys, toolset }: NamedServer): Change[] {
  return toolset === undefined ? [{ keys }] : [{ keys }, { keys: toolset.keys }];
}

/** The tools that an allowed server is narrowed to if rules forbid some of them; undefined if none is forbidden. */
function openTools(
  { rules, inventory }: ReviewParts,
  { id, allowedTools }: NamedServer,
): readonly string[] | undefined {
  const isForbidden = (name: string) => {
    const { answer } = rules.verdict({ server: id, name });
    return answer === 'strip' || answer === 'block';
  };
  const forbidden = rules.forbiddenBy(id);
  const known = allowedTools ?? [...inventory.toolsOf(id), ...forbidden];
  return known.some(isForbidden) ? known.filter((name) => !isForbidden(name)) : undefined;
}

/** The tools of a forbidden server that rules allow. */
function narrowedTools(rules: ToolRules, { id, allowedTools }: NamedServer): readonly string[] {
  const names = rules.allowedBy(id);
  return allowedTools === undefined ? names : names.filter((name) => allowedTools.includes(name));
}

/** A server entry with fewer tools, or with approval of each call, in the provider's format. */
function narrowed(
  { rules }: ReviewParts,
  server: NamedServer,
  names: readonly string[] | undefined,
  asks: boolean,
): Change[] {
  const { id, keys, value, toolset } = server;
  const form = formOf(server);
  const forbidden = rules.forbiddenBy(id);
  const isOpen = rules.allowedBy(id).length === 0 && forbidden.length > 0;
  const limits = { names, except: names === undefined ? [] : isOpen ? forbidden : undefined, asks };
  if (toolset !== undefined && form.toolset !== undefined)
    return [{ keys: toolset.keys, value: form.toolset.limited(toolset.value, limits) }];
  if (form.limited !== undefined) return [{ keys, value: form.limited(value, limits) }];
  // A server that lacks the toolset of its form is not used. One without any such settings is removed.
  return form.toolset === undefined ? [{ keys }] : [];
}

function formOf({ form }: NamedServer): ServerForm {
  return wireFormats.agents.offered.servers.find(({ name }) => name === form) as ServerForm;
}
