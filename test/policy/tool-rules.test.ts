/** Rules about tools and MCP servers. */
import { describe, expect, test } from 'vitest';
import type { RuleConfig } from '../../policy/rule.ts';
import { namesServer, namesTool, toolSubjectOf } from '../../policy/tool-names.ts';
import { policyOf } from './policies-under-test.ts';

test.each<[entry: string, server: string, expected: boolean]>([
  ['mcp.example.com', 'mcp.example.com', true],
  ['https://mcp.example.com/mcp', 'mcp.example.com', true],
  ['mcp.example.com', 'mcp.example.com/team', true],
  ['mcp.example.com/team', 'mcp.example.com', false],
  ['mcp.example.com', 'mcp.example.com.evil.example', false],
  ['example.com', 'mcp.example.com', false],
  ['*.example.com', 'mcp.example.com/x', true],
  ['*.example.com', 'evilexample.com', false],
  ['git*', 'github', true],
  ['GitHub', 'github', true],
  ['*', 'anything', true],
])('the entry %s matches the server %s: %s', (entry, server, expected) => {
  expect(namesServer(entry, server)).toBe(expected);
});

test.each<[entry: string, tool: string, expected: boolean]>([
  ['search', 'search', true],
  ['search', 'github/search', true],
  ['github/search', 'search', false],
  ['github/*', 'mcp__github__search', true],
  ['mcp__github__*', 'github/search', true],
  ['github/delete_*', 'github/delete_repo', true],
  ['github/delete_*', 'gitlab/delete_repo', false],
  ['mcp.example.com/team/read', 'mcp.example.com/team/read', true],
  ['delete_*', 'undelete_x', false],
])('the entry %s matches the tool %s: %s', (entry, tool, expected) => {
  expect(namesTool(entry, toolSubjectOf(tool, undefined) ?? {})).toBe(expected);
});

describe('rules', () => {
  const rules: RuleConfig[] = [
    { name: 'legal', when: { groups: ['legal'], tools: ['crm/*'] }, then: { tools: 'allow' } },
    { name: 'agents', when: { agents: ['claude-cli'], tools: ['bash'] }, then: { tools: 'block' } },
    { name: 'crm', when: { mcp_servers: ['crm'] }, then: { tools: 'strip' } },
    { name: 'all of it', when: { users: ['eve'] }, then: { action: 'warn', tools: 'block' } },
  ];
  const policy = policyOf({ rules });
  const input = { host: 'api.example', port: 443, path: '/v1', method: 'POST' };

  test.each<[name: string, more: object, tool: string, answer: string, rule: string]>([
    ['the group decides', { groups: ['legal'] }, 'crm/read', 'allow', 'legal'],
    ['another group does not', { groups: ['hr'] }, 'crm/read', 'strip', 'crm'],
    ['the program decides', { agent: 'claude-cli' }, 'bash', 'block', 'agents'],
    ['another program does not', { agent: 'codex' }, 'bash', 'allow', 'policy.tools'],
    ['a rule without names applies to every tool', { user: 'eve' }, 'read', 'block', 'all of it'],
  ])('%s', (_name, more, tool, answer, rule) => {
    const subject = toolSubjectOf(tool, undefined) ?? {};
    expect(policy.toolRules({ ...input, ...more }, undefined).verdict(subject)).toMatchObject({ answer, rule });
    expect(policy.explainTool({ ...input, ...more }, undefined, subject)).toMatchObject({ answer, rule });
  });

  test('a rule for tools alone decides nothing about the request', () => {
    expect(policy.decide({ ...input, groups: ['legal'] }).rule).toBe('policy.unknown');
    expect(policy.decide({ ...input, user: 'eve' })).toMatchObject({ action: 'warn', rule: 'all of it' });
  });
});
