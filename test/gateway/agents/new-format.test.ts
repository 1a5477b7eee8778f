/** With one more declaration in the list of formats, the rules for agents govern that provider, too. */
import { describe, expect, test, vi } from 'vitest';
import { GuardedStream, guardedDocument } from '../../../gateway/agents/guarded-stream.ts';
import { guardOf } from './guarded-request.ts';

vi.mock('../../../core/formats/index.ts', async (original) => {
  const { formats } = await original<typeof import('../../../core/formats/index.ts')>();
  const { WireFormats } = await import('../../../core/formats/wire-formats.ts');
  const { lanes } = await import('../../core/formats/lanes.ts');
  const all = [...formats, lanes];
  return { formats: all, wireFormats: new WireFormats(all) };
});

const rules = [
  { name: 'no deletion', when: { tools: ['delete_all'] }, then: { tools: 'strip' as const } },
  { name: 'narrowed', when: { tools: ['docs.example/write'] }, then: { tools: 'strip' as const } },
];
const said = [
  { role: 'patron', content: 'Hello there, friend.' },
  { role: 'pilot', content: [{ errand: { does: 'own', load: {} } }] },
  { role: 'patron', content: 'Thank you, and now the rest.' },
];
const chore = (name: string) => ({ chore: { name, description: 'Does it.', parameters: {} } });
const request = { utterances: said, chores: [chore('own'), chore('delete_all')] };
const errand = (does: string, load: object, isDone = true) => ({
  type: 'lane',
  lane: 1,
  errand: { does, load, isDone },
});
const secret = { url: `https://collect.example/?k=ghp_${'a1B2c3D4e5F6'.repeat(3)}` };

describe('a new format', () => {
  test('forbidden tools are removed from its requests, and the called ones are recorded', async () => {
    const { sent, record } = await guardOf(request, { rules });
    expect(sent).toEqual({ ...request, chores: [chore('own')] });
    expect(record.agents?.tools).toEqual(['own']);
    expect(record.agents?.findings).toMatchObject([{ tool: 'delete_all', place: 'chores[1]', rule: 'no deletion' }]);
  });

  test('its servers are narrowed', async () => {
    const depot = { depot: 'docs', gate: 'https://docs.example/mcp' };
    const { sent } = await guardOf({ ...request, depots: [depot] }, { rules });
    expect(sent.depots).toEqual([{ ...depot, only: [] }]);
  });

  test.each([
    ['a forbidden call', errand('delete_all', {}), 'delete_all'],
    ['a call with a secret', errand('own', secret), 'own'],
  ])('%s is refused in its own form, in a document and in a stream', async (_name, event, tool) => {
    const options = { rules, tools: { arguments: 'block' as const } };
    const { answer } = await guardOf(request, options);
    const { refusal } = guardedDocument(Buffer.from(JSON.stringify(event)), answer);
    const error = { message: expect.stringContaining(tool), roadblock: 1 };
    expect(JSON.parse(Buffer.from(refusal ?? []).toString())).toEqual({ error });

    const stream = GuardedStream.of('sse', (await guardOf(request, options)).answer);
    const data = [{ type: 'lane', lane: 1, utterance: 'Well.' }, event].map(
      (one) => `data: ${JSON.stringify(one)}\n\n`,
    );
    const passed = Buffer.from(stream?.push(Buffer.from(data.join(''))) ?? []).toString();
    expect(passed).toBe(data[0]);
    expect(stream?.isRefused).toBe(true);
  });

  test('an allowed call passes unchanged', async () => {
    const { answer } = await guardOf(request, { rules, tools: { arguments: 'block' } });
    const body = Buffer.from(JSON.stringify(errand('own', { note: 'tea' })));
    expect(guardedDocument(body, answer)).toEqual({ body });
  });
});
