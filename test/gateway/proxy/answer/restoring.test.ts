import { describe, expect, it } from 'vitest';
import { planRestore, type RestorePlan } from '../../../../gateway/proxy/answer/restoring.ts';
import { open, push } from './opened-restorer.ts';

describe('plans', () => {
  const rows: [type: string | undefined, path: string, plan: RestorePlan][] = [
    ['text/event-stream; charset=utf-8', '/v1/messages', 'sse'],
    ['application/json', '/v1/messages', 'document'],
    ['application/problem+json', '/', 'document'],
    ['application/json', '/v1beta/models/m:streamGenerateContent?key=k', 'json-array'],
    ['application/x-ndjson', '/api/chat', 'ndjson'],
    ['application/vnd.amazon.eventstream', '/model/m/converse-stream', 'event-stream'],
    ['text/plain', '/', 'text'],
    ['text/html', '/', 'html'],
    ['text/css', '/', 'pass'],
    ['text/javascript', '/', 'pass'],
    ['application/javascript', '/', 'pass'],
    ['application/xml', '/', 'html'],
    ['application/atom+xml; charset=utf-8', '/', 'html'],
    ['application/yaml', '/', 'text'],
    ['image/png', '/', 'pass'],
    [undefined, '/', 'pass'],
    ['application/octet-stream', '/', 'pass'],
    ['application/octet-stream', '/v1/files/file-1/content', 'file'],
    ['binary/octet-stream', '/v1/files/file-1/content?api-version=1', 'file'],
    [undefined, '/v1/messages/batches/b/results', 'file'],
    ['text/x-component', '/v1/files/file-1/content', 'file'],
    ['application/octet-stream', '/download/v1beta/files/a:download?alt=media', 'file'],
    ['application/pdf', '/v1/files/file-1/content', 'pass'],
    ['multipart/mixed; boundary=b', '/batch', 'multipart'],
    ['application/x-jsonl', '/v1/messages/batches/b/results', 'jsonl'],
  ];
  it.each(rows)('%s on %s: %s', (type, path, plan) => {
    expect(planRestore(type, path)).toBe(plan);
  });
});

describe('documents', () => {
  it('a document arrives complete, with its length', async () => {
    const run = open('document');
    push(run, '{"text":"[EMA');
    push(run, 'IL-1]"}');
    run.restorer.end();
    expect(await run.ended).toBe('end');
    expect(run.restorer.isWhole).toBe(true);
    expect(run.pieces.map(String)).toEqual(['{"text":"ann@corp.example"}']);
  });

  it('a document with a length is sent once complete, without trailing data', async () => {
    for (const [text, restored] of [
      ['{"text":"[EMAIL-1]"}', '{"text":"ann@corp.example"}'],
      ['{"text":"[EMAIL-1]"}\n{"text":"[EMAIL-1]"}', '{"text":"ann@corp.example"}\n{"text":"ann@corp.example"}'],
      ['\n', '\n'],
    ] as const) {
      const run = open('document', { length: text.length });
      push(run, text.slice(0, 3));
      if (text.length > 3) push(run, text.slice(3));
      const sent = run.output();
      // Each line is sent once it is complete.
      if (text.indexOf('\n') < 1) expect(sent).toBe(restored);
      run.restorer.end();
      expect(await run.ended).toBe('end');
      expect(run.output()).toBe(restored);
    }
    const run = open('document', { length: 20 });
    push(run, '\n{"text":"[EMAIL-1]');
    expect(run.output()).toBe('');
    push(run, '"}');
    expect(await run.ended).toBe('fail');
    expect(run.output()).toBe('');
  });

  it('keep-alive blank lines pass at once', () => {
    const run = open('document');
    push(run, '\n');
    expect(run.output()).toBe('\n');
  });

  it('JSON lines declared as one document are restored as they arrive', async () => {
    const run = open('document');
    push(run, '{"text":"to [EM"}\n');
    await expect.poll(run.output).toBe('{"text":"to "}\n');
    push(run, '{"text":"AIL-1]"}\n');
    expect(run.output()).toBe('{"text":"to "}\n{"text":"ann@corp.example"}\n');
    const both = open('document');
    push(both, '{"text":"[EMAIL-1]"}\n{"text":""}\n');
    expect(both.output()).toBe('{"text":"ann@corp.example"}\n{"text":""}\n');
  });

  it('adjacent documents are restored as they arrive', async () => {
    const run = open('document');
    push(run, '{"text":"[EMAIL-1]"}');
    await expect.poll(run.output).toBe('{"text":"ann@corp.example"}');
    push(run, '{"text":"two"}{"text":"[EMA');
    expect(run.output()).toBe('{"text":"ann@corp.example"}{"text":"two"}');
    push(run, 'IL-1]"}');
    run.restorer.end();
    await run.ended;
    expect(run.output()).toBe('{"text":"ann@corp.example"}{"text":"two"}{"text":"ann@corp.example"}');
    const both = open('document');
    push(both, '{"text":"[EMAIL-1]"}{"text":"[EMAIL-1]"}');
    expect(both.output()).toBe('{"text":"ann@corp.example"}{"text":"ann@corp.example"}');
  });

  it('list elements are restored one by one as they arrive, whatever the total size', async () => {
    const run = open('document', { bytesMax: 20 });
    push(run, '[{"name":"Sales up 5%"},');
    expect(run.output()).toBe('[{"name":"Sales up 5%"},');
    push(run, '{"name":"[EMAIL-1] ["},{"name":"https://a.example/"},{"name":"[EMAIL-1]"}]');
    run.restorer.end();
    await run.ended;
    expect(run.output()).toBe(
      '[{"name":"Sales up 5%"},{"name":"ann@corp.example ["},{"name":"https://a.example/"},{"name":"ann@corp.example"}]',
    );
    expect(run.restorer.counts).toEqual({ restored: 2, unresolved: 0, unreadable: 0 });
  });

  it('events declared as a document are restored as they arrive', async () => {
    const run = open('document');
    push(run, 'da');
    push(run, 'ta: {"text":"to [EM"}\n\n');
    expect(run.output()).toBe('data: {"text":"to "}\n\n');
    push(run, 'data: {"text":"AIL-1]"}\n\n');
    run.restorer.end();
    await run.ended;
    expect(run.output()).toBe('data: {"text":"to "}\n\ndata: {"text":"ann@corp.example"}\n\n');
    expect(run.restorer.counts).toEqual({ restored: 1, unresolved: 0, unreadable: 0 });
  });

  it('a multi-line document is restored as one even if its end is late', async () => {
    const text = JSON.stringify({ choices: [{ message: { content: 'to [EMAIL-1]' } }] }, null, 2);
    const run = open('document');
    push(run, `${text}\n`);
    await expect.poll(run.output).toBe(`${text.replace('[EMAIL-1]', 'ann@corp.example')}\n`);
    expect(run.restorer.isWhole).toBe(false);
    push(run, ' \n');
    push(run, '{"text":"[EMAIL-1]"}');
    run.restorer.end();
    expect(await run.ended).toBe('end');
    expect(run.output()).toBe(`${text.replace('[EMAIL-1]', 'ann@corp.example')}\n \n{"text":"ann@corp.example"}`);
  });

  it('invalid JSON and invalid UTF-8 pass and are reported', async () => {
    for (const body of [
      Buffer.from('{"text":"[EMAIL-1]"'),
      Buffer.concat([Buffer.from('{"text":"[EMAIL-1]'), Buffer.from([0xff]), Buffer.from('"}')]),
    ]) {
      const run = open('document');
      push(run, body);
      run.restorer.end();
      await run.ended;
      expect(Buffer.concat(run.pieces).equals(body)).toBe(true);
      expect(run.restorer.counts.unreadable).toBe(1);
    }
  });

  it('one over the limit passes unchanged', () => {
    const run = open('document', { bytesMax: 10 });
    push(run, '{"text":"[EMAIL-1]');
    push(run, '"}');
    expect(run.output()).toBe('{"text":"[EMAIL-1]"}');
  });
});

describe('responses that arrive byte by byte', () => {
  it('a document is not stored in as many pieces', () => {
    const run = open('document', { bytesMax: 10_000 });
    push(run, '{"text":"');
    for (let i = 0; i < 10_000; i++) push(run, 'x');
    expect(run.output()).toHaveLength(10_009);
    expect(run.pieces.length).toBeLessThan(300);
  });

  it.each(['sse', 'ndjson', 'json-array'] as const)(
    'pending data of a stream of %s does not share the memory of its source',
    (plan) => {
      const text = { sse: 'data: {"text":"a b"}\n\n', ndjson: '{"text":"a b"}\n', 'json-array': '[{"text":"a b"}]' }[
        plan
      ];
      const run = open(plan);
      const chunk = Buffer.alloc(1);
      for (const byte of Buffer.from(text)) {
        chunk[0] = byte;
        run.restorer.push(chunk, () => {});
      }
      run.restorer.end();
      expect(run.output()).toBe(text);
    },
  );
});

describe('documents that are buffered together', () => {
  it('share a limited buffer; beyond it they pass unchanged, until one is done', () => {
    const chunk = Buffer.alloc(1 << 20, 0x20);
    const begin = () => {
      const run = open('document', { bytesMax: 1 << 26 });
      push(run, '{"a":"[EMAIL-1]"');
      return run;
    };
    const large = Array.from({ length: 8 }, begin);
    for (let i = 0; i < 31; i++) for (const run of large) run.restorer.push(chunk, () => {});
    const over = begin();
    for (let i = 0; i < 10; i++) over.restorer.push(chunk, () => {});
    push(over, '}');
    over.restorer.end();
    const shown = over.output().replaceAll(chunk.toString(), '');
    expect([shown, over.restorer.counts.unreadable]).toEqual(['{"a":"[EMAIL-1]"}', 1]);
    for (const run of large) run.restorer.close();
    const later = begin();
    push(later, '}');
    later.restorer.end();
    expect(later.output()).toBe('{"a":"ann@corp.example"}');
  });
});
