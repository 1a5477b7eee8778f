/** Admin endpoints other than keys: sessions, explaining a decision, reloading the configuration. */

import { isIP } from 'node:net';
import { z } from 'zod';
import { PrivetError } from '../../../core/errors.ts';
import { sessionKey } from '../../../core/vault.ts';
import type { DecideInput } from '../../../policy/decision.ts';
import { toolSubjectOf } from '../../../policy/tool-names.ts';
import { dayMs } from '../../durations.ts';
import { SessionOwners } from '../../proxy/request/session.ts';
import { Cursors, cursorText } from '../cursors.ts';
import type { Endpoints } from '../endpoint.ts';
import { queryInt } from '../fields.ts';
import type { ApiParts } from '../parts.ts';
import { targetOf } from '../target.ts';
import { invalidField } from '../validate.ts';

const sessionsQuery = z.strictObject({
  tenant: z.string().max(100).optional().describe('Only sessions of this account; empty for those of the proxy.'),
  cursor: cursorText.optional().describe('`next` of the previous page.'),
  limit: queryInt(1, 1000).optional().describe('Default 100.'),
});
const sessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      tenant: z.string(),
      subject: z.string().nullable().describe('The user of the proxy, if it was seen in the last 30 days.'),
      service: z.string().nullable().describe('The key of the registered service, for sessions of the proxy.'),
      tokens: z.int(),
      expires_at: z.iso.datetime().nullable(),
    }),
  ),
  next: z.string().optional(),
});
export type SessionsAnswer = z.infer<typeof sessionsAnswer>;
const explainQuery = z.strictObject({
  url: z.string().min(1).max(8192),
  user: z.string().max(256).optional(),
  groups: z.string().max(2000).optional().describe('Comma separated; default: those of the user.'),
  from: z.string().max(64).optional().describe('Address of the client.'),
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, 'must be a method')
    .optional(),
  size: queryInt(0, 1e15).optional().describe('Bytes of the request body; default none.'),
  path: z.string().max(8192).regex(/^\//, 'must start with "/"').optional().describe('Overrides the path of the URL.'),
  agent: z.string().max(64).optional().describe('The program, like claude-cli.'),
  mcp_server: z.string().max(300).optional().describe('Also evaluate the rules for this MCP server.'),
  tool: z.string().max(300).optional().describe('Also evaluate the rules for this tool.'),
  at: z.iso.datetime({ offset: true }).optional().describe('Time of the request; default now.'),
});
const tried = z.object({ rule: z.string(), matched: z.boolean(), why: z.string() });
const explainAnswer = z.object({
  decision: z.looseObject({ action: z.string(), inspect: z.string(), rule: z.string(), reason: z.string() }),
  tried: z.array(tried),
  service: z.looseObject({ service_name: z.string(), domain: z.string(), category: z.string() }).nullable(),
  tools: z.object({ answer: z.string(), rule: z.string(), tried: z.array(tried) }).optional(),
});
export type ExplainAnswer = z.infer<typeof explainAnswer>;

export function adminRoutes(endpoints: Endpoints, { stores, registry, log, policy, users, reload }: ApiParts): void {
  const cursors = new Cursors(stores.secret);
  const shared = { group: 'admin', access: 'admin' } as const;

  /** The account of the session with this id; the proxy's own sessions have none. */
  async function tenantOf(id: string): Promise<string> {
    const tenants = new Set<string>();
    let after: string | undefined;
    do {
      const page = await stores.vault.sessions({ limit: 1000, after });
      for (const session of page.sessions) if (session.id === id) tenants.add(session.tenant);
      after = page.next;
    } while (after !== undefined);
    if (tenants.size > 1) {
      throw new PrivetError('conflict', 'Several accounts have a session with this id.', {
        hint: 'Name the account: ?tenant=…',
        details: { tenants: [...tenants] },
      });
    }
    return [...tenants][0] ?? '';
  }

  async function sessionOwners(): Promise<SessionOwners> {
    const to = Date.now();
    const { tops } = await stores.events.stats({ from: to - 30 * dayMs, to, bucket: 'day', top: 1000 });
    return new SessionOwners(stores.lineSecret(), {
      subjects: tops.subjects.top.map(([subject]) => subject),
      services: registry.list().map(({ key }) => key),
    });
  }

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/sessions',
    summary: 'Live sessions, without their content.',
    query: sessionsQuery,
    answer: sessionsAnswer,
    async handle({ query: { tenant, cursor, limit } }) {
      const after = cursor === undefined ? undefined : cursors.take('sessions', cursor);
      const page = await stores.vault.sessions({ tenant, after, limit });
      const owners = await sessionOwners();
      const sessions = page.sessions.map(({ expiresAt, ...session }) => ({
        ...session,
        ...(session.tenant === '' ? owners.ownerOf(session.id) : { subject: null, service: null }),
        expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      }));
      return { sessions, next: page.next === undefined ? undefined : cursors.give('sessions', page.next) };
    },
  });

  endpoints.add({
    ...shared,
    method: 'DELETE',
    path: '/admin/sessions/:id',
    summary: 'Revoke a session: its tokens can no longer be restored.',
    query: z.strictObject({
      tenant: z.string().max(100).optional().describe('Its account; default: the one that has it.'),
    }),
    status: 204,
    async handle({ params, query, reply, request }) {
      const { id = '' } = params;
      const { tenant = await tenantOf(id) } = query;
      const isThere = await stores.vault.drop(tenant === '' ? id : sessionKey(tenant, id));
      if (!isThere) {
        throw new PrivetError('session_not_found', 'The session does not exist.', {
          hint: 'It has already ended, or belongs to another tenant; GET /admin/sessions lists the live ones.',
        });
      }
      log.info({ event: 'session_revoked', requestId: request.id }, 'a session was revoked over the API');
      return reply.send();
    },
  });

  endpoints.add({
    ...shared,
    method: 'GET',
    path: '/admin/explain',
    summary: 'The policy decision for a URL, with every rule that was evaluated.',
    query: explainQuery,
    answer: explainAnswer,
    handle({ query: { url, user, groups, from, method, size = 0, path, at, agent, mcp_server: server, tool } }) {
      if (from !== undefined && isIP(from) === 0) throw invalidField('from', 'is not an IP address');
      const input: DecideInput = {
        ...targetOf(url),
        path,
        size,
        method: method?.toUpperCase(),
        user: user?.normalize('NFC'),
        groups: groups === undefined ? (users?.groupsOf(user ?? '') ?? []) : listOf(groups),
        from,
        now: at === undefined ? undefined : new Date(at),
        agent: agent?.toLowerCase(),
      };
      const { decision, tried } = policy().explain(input);
      const { service, ...rest } = decision;
      const subject = toolSubjectOf(tool, server);
      const tools = subject && policy().explainTool(input, service, subject);
      return { decision: rest, tried, service: service ?? null, tools };
    },
  });

  endpoints.add({
    ...shared,
    method: 'POST',
    path: '/admin/reload',
    summary: 'Reload the configuration on every replica. On any error the old one stays.',
    answer: z.object({ reloaded: z.literal(true) }),
    async handle() {
      const problems = await reload();
      if (problems.length === 0) return { reloaded: true };
      throw new PrivetError('invalid_input', 'The configuration has errors; the old one stays.', {
        hint: 'Correct the file and send the request again.',
        details: problems,
      });
    },
  });
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
