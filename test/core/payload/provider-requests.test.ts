/**
 * What counts as human text in the requests of each provider: every string that begins with "t:" must be listed, and no
 * other string may be (ids, settings, signatures, binary data).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequestBody } from '../../../core/payload/request.ts';
import { modelApiBodies } from './model-api-bodies.ts';

const id = '3f1c9f0e-0000-4000-8000-000000000001';

const rows: [name: string, body: unknown][] = [
  ...modelApiBodies,
  [
    'chatgpt.com',
    {
      action: 'next',
      conversation_id: id,
      parent_message_id: id,
      messages: [
        {
          id,
          author: { role: 'user' },
          content: {
            content_type: 'multimodal_text',
            parts: [{ asset_pointer: 'file-service://file-abc', size_bytes: 12, width: 1 }, 't:a'],
          },
          metadata: { attachments: [{ id: 't:file-abc', name: 't:b.pdf', mime_type: 't:application/pdf' }] },
        },
      ],
      model: 'auto',
      timezone: 'Asia/Tokyo',
      system_hints: ['t:search'],
    },
  ],
  [
    'claude.ai',
    {
      prompt: 't:a',
      parent_message_uuid: id,
      attachments: [{ file_name: 't:b.txt', file_type: 't:txt', extracted_content: 't:c' }],
      files: [id],
      personalized_styles: [{ type: 'default', key: 't:Default', prompt: 't:d' }],
    },
  ],
  [
    'perplexity.ai',
    { query_str: 't:a', params: { dsl_query: 't:a', attachments: ['t:b'], frontend_uuid: 't:uuid', language: 't:en' } },
  ],
  [
    'copilot.microsoft.com',
    { event: 'send', conversationId: 'H9', content: [{ type: 'text', text: 't:a' }], mode: 'chat' },
  ],
  [
    'OpenAI Realtime',
    {
      type: 'conversation.item.create',
      previous_item_id: 'item_1',
      item: {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 't:a' },
          { type: 'input_audio', audio: 'SUQzBAAAAAAAI1RTU0UAAAAPAAADTGF2ZjU4', transcript: 't:b' },
        ],
      },
    },
  ],
  ['Replicate', { version: 'v1', input: { prompt: 't:a', system_prompt: 't:b' } }],
  ['DashScope', { model: 'qwen-max', input: { messages: [{ role: 't:user', content: 't:a' }] } }],
  ['an unknown provider', { a: { b: [{ title: 't:a', note: ['t:b'] }] }, query: 't:c', model: 'm', sessionId: 'abc' }],
  ['MCP', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't:send', arguments: { to: 't:a' } } }],
];

function marked(value: unknown): string[] {
  if (typeof value === 'string') {
    if (value.startsWith('t:')) return [value];
    return /^[[{]/.test(value) ? marked(JSON.parse(value)) : [];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(marked) : [];
}

// Strings without an exemption that never contain a finding: settings of one provider.
const harmless = new Set([
  ...'2.0|https://img.example/a.png|https://g.example/files/abc|file-service://file-abc'.split('|'),
  ...'tools/call|auto|never|float|a|b|reasoning.encrypted_content|OUTCOME_OK'.split('|'),
  ...'HARM_CATEGORY_HARASSMENT|BLOCK_NONE|email'.split('|'),
  id,
  'https://mcp.example/sse',
]);

describe('texts in the requests of providers', () => {
  it.each(rows)('%s', (_name, body) => {
    const request = parseRequestBody('json', JSON.stringify(body));
    expect(request.leaves.filter((leaf) => !harmless.has(leaf))).toEqual(marked(body));
    expect(request.sealed).toEqual([]);
  });
});

describe('unknown JSON', () => {
  const names = 'id|type|data|signature|model|name|url|status|input|arguments|metadata|x'.split('|');
  const key = fc.oneof(fc.constantFrom(...names), fc.string(), fc.constant('Hana Morita'));
  const text = fc.tuple(fc.string(), fc.constantFrom('', 'Hana Morita'), fc.string()).map((parts) => parts.join(''));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
      tie('tree').map((inside) => JSON.stringify(inside)),
      fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
    ),
  }));

  it('a name is sent at no position or string depth, and everything else is kept', () => {
    fc.assert(
      fc.property(tree, fc.nat(2), (value, indent) => {
        const body = JSON.stringify(value, null, indent);
        const request = parseRequestBody('json', body);
        const masked = request.rewrite(request.leaves.map((leaf) => leaf.replaceAll('Hana Morita', '[NAME-1]')));
        expect(masked).not.toContain('Hana Morita');
        const back = parseRequestBody('json', masked);
        const restored = back.rewrite(back.leaves.map((leaf) => leaf.replaceAll('[NAME-1]', 'Hana Morita')));
        if (!body.includes('[NAME-1]')) expect(JSON.parse(restored)).toEqual(JSON.parse(body));
      }),
      { numRuns: 500 },
    );
  });
});
