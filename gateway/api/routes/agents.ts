/** /admin/agents, /admin/mcp-servers, /admin/tools: the inventory with its users, and decisions of administrators. */

import { z } from 'zod';
import { definitionDiff } from '../../../core/agents/definition-diff.ts';
import { PrivetError } from '../../../core/errors.ts';
import type { Inventory } from '../../agents/inventory.ts';
import type { ServerEntry, ToolEntry } from '../../agents/inventory-entries.ts';
import type { Endpoints } from '../endpoint.ts';
import { queryInt } from '../fields.ts';
import { pageOf } from '../paging.ts';
import type { ApiParts } from '../parts.ts';

const states = ['seen', 'approved', 'denied'] as const;
const names = z.array(z.string());
const usage = {
  users: names,
  services: names,
  first_seen: z.iso.datetime(),
  last_seen: z.iso.datetime(),
};
const agent = z.object({ agent: z.string(), servers: names, requests: z.int(), ...usage });
export type Agent = z.infer<typeof agent>;
const server = z.object({
  id: z.string().describe('Host and path of its address, else a connector, else the label of a local one.'),
  kind: z.enum(['remote', 'provider', 'local', 'agent']),
  tools: names,
  added: names.describe('Tools added after its tool set was complete.'),
  set_hash: z.string(),
  state: z.enum(states),
  decided_at: z.iso.datetime().nullable(),
  agents: names,
  ...usage,
});
export type McpServer = z.infer<typeof server>;
const tool = z.object({
  id: z.string(),
  server: z.string().nullable().describe('null: a function of the program itself.'),
  name: z.string(),
  state: z.enum([...states, 'changed']).describe('`changed`: the definition differs from the pinned one.'),
  hash: z.string().describe('SHA-256 of the pinned definition in its canonical form (RFC 8785).'),
  definition: z.string(),
  diff: z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  findings: names,
  decided_at: z.iso.datetime().nullable(),
  agents: names,
  ...usage,
});
export type Tool = z.infer<typeof tool>;
const decision = z.strictObject({
  state: z.enum(states).describe('`approved` pins the latest definition; `seen` reverts a decision.'),
});
const page = {
  cursor: queryInt(0, 1_000_000).optional().describe('`next` of the previous page.'),
  limit: queryInt(1, 1000).optional().describe('Default 200.'),
};
const limit = 200;

export function agentRoutes(endpoints: Endpoints, parts: ApiParts): void {
  const shared = { group: 'admin', access: 'admin' } as const;

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/agents',
    summary: 'Programs that use tools or MCP servers, newest first.',
    query: z.strictObject(page),
    answer: z.object({ agents: z.array(agent), next: z.string().optional() }),
    handle({ query }) {
      return pageOf('agents', [...inventoryOf(parts).list('agent').values()].sort(latest), { limit, ...query });
    },
  });

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/mcp-servers',
    summary: 'MCP servers that were seen, newest first.',
    query: z.strictObject({ state: z.enum(states).optional(), ...page }),
    answer: z.object({ servers: z.array(server), next: z.string().optional() }),
    handle({ query: { state, ...query } }) {
      const all = [...inventoryOf(parts).list('server').values()].filter((one) => (state ?? one.state) === one.state);
      return pageOf('servers', all.sort(latest).map(serverView), { limit, ...query });
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/mcp-servers/:id',
    summary: 'Approve or deny an MCP server and the set of its tools.',
    body: decision,
    answer: server,
    async handle({ params, body: { state }, request }) {
      const id = params.id ?? '';
      const decided = await inventoryOf(parts).decideServer(id, state);
      parts.log.info(
        { event: 'mcp_server_decided', server: decided.id, state, requestId: request.id },
        'an MCP server was approved or denied over the API',
      );
      return serverView(decided);
    },
  });

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/tools',
    summary: 'Tools that were seen, with what has changed in their definitions, newest first.',
    query: z.strictObject({
      state: z.enum([...states, 'changed']).optional(),
      server: z.string().max(300).optional(),
      ...page,
    }),
    answer: z.object({ tools: z.array(tool), next: z.string().optional() }),
    handle({ query: { state, server: of, ...query } }) {
      const all = [...inventoryOf(parts).list('tool')].filter(
        ([, one]) => (state ?? stateOf(one)) === stateOf(one) && (of ?? one.server) === one.server,
      );
      all.sort(([, a], [, b]) => latest(a, b));
      const { tools, next } = pageOf('tools', all, { limit, ...query });
      return { tools: tools.map(([id, one]) => toolView(id, one)), next };
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/tools/:id',
    summary: 'Approve or deny a tool.',
    body: decision,
    answer: tool,
    async handle({ params, body: { state }, request }) {
      const id = params.id ?? '';
      const decided = await inventoryOf(parts).decideTool(id, state);
      parts.log.info(
        { event: 'tool_decided', tool: id, state, requestId: request.id },
        'a tool was approved or denied over the API',
      );
      return toolView(id, decided);
    },
  });
}

function inventoryOf({ agents }: ApiParts): Inventory {
  if (agents === undefined) throw new PrivetError('not_found', 'This gateway does not keep an inventory of tools.');
  return agents;
}

function stateOf({ state, changed }: ToolEntry): z.infer<typeof tool>['state'] {
  return changed !== null && state !== 'denied' ? 'changed' : state;
}

function toolView(id: string, entry: ToolEntry) {
  const { pinned, changed, ...rest } = entry;
  const diff = changed === null ? [] : definitionDiff(pinned.definition, changed.definition);
  return { ...rest, id, state: stateOf(entry), ...pinned, diff };
}

function serverView({ is_complete: _complete, ...entry }: ServerEntry) {
  return entry;
}

function latest(a: { readonly last_seen: string }, b: { readonly last_seen: string }): number {
  return a.last_seen < b.last_seen ? 1 : -1;
}
