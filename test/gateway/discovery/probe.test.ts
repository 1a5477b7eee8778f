import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Probe } from '../../../gateway/discovery/probe.ts';
import type { Shapes } from '../../../policy/discovery-shapes.ts';

const body = Buffer.from('data: {"choices":[{"delta":{"content":"hi"}}]}\n\n');

/** What is reported about an answer with this coding, and whether an error was left unhandled. */
async function toldOf(coding: string, bytes: Buffer): Promise<{ told: Shapes[]; errors: unknown[] }> {
  const [told, errors]: [Shapes[], unknown[]] = [[], []];
  const onError = (error: unknown) => errors.push(error);
  process.on('unhandledRejection', onError);
  const probe = new Probe(
    { host: 'x.example', port: 443, method: 'POST', path: '/x', rawHeaders: ['Content-Type', 'application/json'] },
    (shapes) => told.push(shapes),
  );
  probe.requestData(Buffer.from('{"a":1}'));
  probe.answerStart(200, ['Content-Type', 'text/event-stream', 'Content-Encoding', coding]);
  probe.answerData(bytes);
  probe.answerEnd();
  for (let i = 0; i < 12; i++) await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', onError);
  return { told, errors };
}

test('the beginning of a response is decoded', async () => {
  expect((await toldOf('gzip', gzipSync(body))).told).not.toEqual([]);
});

test.each(['constructor', '__proto__', 'hasownproperty', 'unknown'])('the coding %s is unknown', async (coding) => {
  expect(await toldOf(coding, body)).toEqual(await toldOf('unknown', body));
  expect((await toldOf(coding, body)).errors).toEqual([]);
});
