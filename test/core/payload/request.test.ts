import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyBytes, bodyText } from '../../../core/payload/body-text.ts';
import { bodyKind, isStructural, parseRequestBody, type TextBodyKind } from '../../../core/payload/request.ts';
import { fixture, fixtureText, maskedText, meta } from '../stream/wire-fixtures.ts';

function mask(kind: TextBodyKind, body: string, map: Record<string, string>, contentType?: string): string {
  const request = parseRequestBody(kind, body, contentType ? { contentType } : {});
  return request.rewrite(
    request.leaves.map((leaf) =>
      Object.entries(map).reduce((text, [token, value]) => text.replaceAll(value, () => token), leaf),
    ),
  );
}

describe('requests of providers', () => {
  const rows: [folder: string, kind: TextBodyKind, file: string][] = [
    ...[
      ...'openai-chat|openai-responses|anthropic-messages|gemini|cohere-v2|ollama|mistral|chatgpt-web'.split('|'),
      ...'huggingface-tgi|llamacpp|perplexity-web'.split('|'),
    ].map((folder): [string, TextBodyKind, string] => [folder, 'json', 'request.json']),
    ['gemini-web', 'form', 'request.form'],
    ['openai-files-batch', 'ndjson', 'batch.jsonl'],
  ];
  for (const [folder, kind, file] of rows) {
    it(`${folder}/${file}`, () => {
      const body = fixtureText(`${folder}/${file}`);
      expect(mask(kind, body, {})).toBe(body);
      expect(mask(kind, body, meta(folder).tokenMap)).toBe(maskedText(`${folder}/${file}`));
    });
  }

  it('a batch file in a form keeps boundary, headers and the other parts', () => {
    const { tokenMap, contentType } = meta('openai-files-batch');
    const body = bodyText('multipart', fixture('openai-files-batch/upload.multipart'));
    const output = mask('multipart', body, tokenMap, contentType);
    expect(output).not.toContain('hana.morita');
    const back = Object.entries(tokenMap).reduce((text, [token, value]) => text.replaceAll(token, value), output);
    expect(back).toBe(body);
  });
});

describe('leaves', () => {
  const person = 'a@b.example';
  const letter = 'Hana Morita\n+81 90-1234-5678';
  const like = 'data: Hana, her mail, base64,';
  const tool = { id: 'toolu_1', name: 'f', input: { id: '1', type: 't', name: 'n' } };
  const call = { function: { name: 'send_mail', arguments: '{"id":"x"}' } };
  const rows: [name: string, body: unknown, leaves: string[]][] = [
    ['structure is left out', { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }, ['hi']],
    ['an e-mail address as an id is text', { id: person, user: 'u1', safety_identifier: 's' }, [person, 'u1', 's']],
    ['a person is not a tool', { messages: [{ name: 'Hana', tool_calls: [call] }] }, ['Hana', 'x']],
    ['arguments have no structure', { content: [{ type: 'tool_use', ...tool }] }, ['1', 't', 'n']],
    ['JSON in JSON in a string', { a: JSON.stringify({ b: JSON.stringify(['deep']) }) }, ['deep']],
    ['no JSON after all', { a: '[EMAIL-1]', b: '{not json}' }, ['[EMAIL-1]', '{not json}']],
    ['long numbers in a document in a string', { output: '{"card":4111111111111111,"n":12}' }, ['4111111111111111']],
    ['names of members', { input: { [person]: 'x' } }, [person, 'x']],
    ['base64 of text is opened', { url: `data:text/plain;base64,${btoa('Hana Morita')}` }, ['Hana Morita']],
    ['text in a field named data', { source: { type: 'text', data: 'Hana was here' } }, ['Hana was here']],
    ['a letter in a field named signature', { signature: letter }, [letter]],
    ['a text that begins with "data:"', { content: like }, [like]],
    ['numbers in the arguments of a tool', { input: { card: 4111111111111111, n: 12 } }, ['4111111111111111']],
    ['numbers in settings', { seed: 4111111111111111 }, []],
    ['an id of a person', { taxId: '536-22-8145', patient_id: 'x1', sessionId: 'x2' }, ['536-22-8145', 'x1']],
    ['a telephone number as a setting', { status: '+81-90-1234-5678', mode: 'fast' }, ['+81-90-1234-5678']],
    ['digits in a field named data', { source: { data: '09012345678' } }, ['09012345678']],
  ];
  for (const [name, body, leaves] of rows) {
    it(name, () => expect(parseRequestBody('json', JSON.stringify(body)).leaves).toEqual(leaves));
  }

  it('reports what cannot be read', () => {
    const image = { image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const audio = { input_audio: { data: 'SUQzAAAAAAAA' } };
    const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjcK' };
    const body = { messages: [{ content: [image, audio] }, { source }], prompt: [1, 2, 3] };
    const parts = parseRequestBody('json', JSON.stringify(body)).uninspectable;
    expect(parts.map((part) => `${part.kind} ${part.pointer}`)).toEqual([
      'image messages[0].content[0].image_url.url',
      'audio messages[0].content[1].input_audio.data',
      'document messages[1].source.data',
      'binary prompt',
    ]);
  });

  it('a base64 file is identified by its bytes, whatever its name and declared type', () => {
    const pdf = btoa(`%PDF-1.7\n${' '.repeat(99)}`);
    const body = { anything: pdf, source: { media_type: 'image/png', data: pdf }, note: `${pdf}, see above` };
    const request = parseRequestBody('json', JSON.stringify(body));
    expect(request.uninspectable).toMatchObject([
      { kind: 'document', pointer: 'anything', mediaType: 'application/pdf' },
      { kind: 'document', pointer: 'source.data', mediaType: 'application/pdf' },
    ]);
    expect(request.leaves).toEqual([body.note]);
  });

  it('new bytes replace a part', () => {
    const b = btoa('\x89PNG\0');
    const body = { a: 'x', url: `data:image/png;base64,${b}`, b, data: 'iVBORw0KGgo=' };
    const request = parseRequestBody('json', JSON.stringify(body));
    expect(request.uninspectable.map((part) => part.kind)).toEqual(['image']);
    const output = request.rewrite([], [new Uint8Array([1, 2, 3])]);
    expect(JSON.parse(output)).toEqual({ ...body, url: 'data:image/png;base64,AQID' });
  });

  it('position and signature of signed reasoning are known', () => {
    const body = JSON.stringify({
      content: [
        { type: 'thinking', thinking: 'Hana', signature: 'x' },
        { type: 'text', text: 'Hana', signature: 'x' },
      ],
    });
    const request = parseRequestBody('json', body);
    expect(request.leaves).toEqual(['Hana', 'Hana']);
    const seal = { signature: 'x', pointer: 'content[0].thinking', isVerified: true };
    expect([...(request.seals ?? [])]).toEqual([[0, seal]]);
  });
});

describe('rewrite', () => {
  it('keeps every byte that need not change', () => {
    const body = '{"n": 12345678901234567890,  "a":"\\u00e9 Hana","b":"\\/ \\u00e9"}\n';
    expect(mask('json', body, { '[NAME-1]': 'Hana' })).toBe(
      '{"n": 12345678901234567890,  "a":"é [NAME-1]","b":"\\/ \\u00e9"}\n',
    );
  });

  it('a number in a document that is a string becomes a string', () => {
    expect(mask('json', '{"o":"{\\"card\\":4111111111111111}"}', { '[CARD-1]': '4111111111111111' })).toBe(
      '{"o":"{\\"card\\":\\"[CARD-1]\\"}"}',
    );
  });

  it('without hits any body comes back as it was', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(2), (json, indent) => {
        const body = JSON.stringify(JSON.parse(json), null, indent);
        expect(mask('json', body, {})).toBe(body);
        expect(mask('text', body, {})).toBe(body);
        expect(mask('form', `a=${encodeURIComponent(body)}&b=%zz+x`, {})).toBe(`a=${encodeURIComponent(body)}&b=%zz+x`);
      }),
    );
  });

  it('a changed text is read back at every depth', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const body = JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(['HIT']) }) });
        const output = mask('json', body, { [value]: 'HIT' });
        expect(JSON.parse(JSON.parse(JSON.parse(output).a).b)[0]).toBe(value);
      }),
    );
  });

  it.each([
    ['a name', 'to%20Hana=1', 'to%20%5BNAME-1%5D=1'],
    ['a pair without a value', 'a=1&Hana', 'a=1&%5BNAME-1%5D'],
    ['a value with further equals signs', 'a=b=Hana==&c=', 'a=b%3D%5BNAME-1%5D%3D%3D&c='],
    ['an empty name', '=Hana&&', '=%5BNAME-1%5D&&'],
    ['JSON that a program has declared as a form', '{"a":"x=1&Hana"}', '{"a":"x=1&[NAME-1]"}'],
    ['broken JSON', '{"a":"Hana', '{"a":"[NAME-1]'],
  ])('forms: %s', (_name, body, expected) => {
    expect(mask('form', body, { '[NAME-1]': 'Hana' })).toBe(expected);
    const plain = body.replaceAll('Hana', 'x');
    expect(mask('form', plain, { '[NAME-1]': 'Hana' })).toBe(plain);
  });

  it.each([
    ['content', '{"a":1}\nfor Hana\n{"b":"Emil"}\nto Emil\n', '{"a":1}\nfor [NAME-1]\n{"b":"[NAME-2]"}\nto [NAME-2]\n'],
    ['ndjson', '\x1e{"a":"Hana"}\n\x1e{"b":"Emil"}\n', '\x1e{"a":"[NAME-1]"}\n\x1e{"b":"[NAME-2]"}\n'],
    ['text', '{"a":"Hana"}\x1e{"b":"Emil"}\x1e', '{"a":"[NAME-1]"}\x1e{"b":"[NAME-2]"}\x1e'],
  ] as const)('partly JSON lines, as %s', (kind, body, expected) => {
    expect(mask(kind, body, { '[NAME-1]': 'Hana', '[NAME-2]': 'Emil' })).toBe(expected);
  });

  it('forms keep their encoding of spaces', () => {
    expect(mask('form', 'q=to+Hana&x=1%202', { '[NAME-1]': 'Hana' })).toBe('q=to+%5BNAME-1%5D&x=1%202');
    expect(mask('form', 'q=to%20Hana', { '[NAME-1]': 'Hana' })).toBe('q=to%20%5BNAME-1%5D');
  });

  it('one byte order mark is kept; several are not JSON and do not recurse endlessly', () => {
    const mark = '\uFEFF';
    for (const kind of ['json', 'ndjson', 'text', 'form'] as const) {
      expect(mask(kind, `${mark}{"a":"Hana"}`, { '[NAME-1]': 'Hana' })).toBe(`${mark}{"a":"[NAME-1]"}`);
    }
    const many = `${mark.repeat(20_000)}{"a":"Hana"}`;
    for (const kind of ['json', 'ndjson'] as const) {
      expect(() => parseRequestBody(kind, many)).toThrow(expect.objectContaining({ code: 'invalid_json' }));
    }
    for (const kind of ['text', 'form'] as const) {
      expect(mask(kind, many, { '[NAME-1]': 'Hana' })).toBe(many.replace('Hana', '[NAME-1]'));
    }
  });

  it('lines keep their ends', () => {
    expect(mask('ndjson', '{"a":"Hana"}\r\n\n{"a":"x"}', { '[NAME-1]': 'Hana' })).toBe(
      '{"a":"[NAME-1]"}\r\n\n{"a":"x"}',
    );
    expect(() => parseRequestBody('ndjson', '{"a":1}\n{')).toThrow(expect.objectContaining({ code: 'invalid_json' }));
  });
});

describe('multipart', () => {
  const contentType = 'multipart/form-data; boundary="b-1"';
  const part = (head: string, content: string) => `--b-1\r\n${head}\r\n\r\n${content}\r\n`;
  const body = (...parts: string[]) => `${parts.join('')}--b-1--\r\n`;

  it('file names, text and binary parts', () => {
    const png = '\x89PNG\r\n\x1a\n\x00--b-1';
    const whole = body(
      part('Content-Disposition: form-data; name="note"', bodyText('multipart', new TextEncoder().encode('für Hana'))),
      part('Content-Disposition: form-data; name="file"; filename="Hana.png"\r\nContent-Type: image/png', png),
      part('Content-Disposition: form-data; name="empty"', ''),
    );
    const request = parseRequestBody('multipart', whole, { contentType });
    expect(request.leaves).toEqual(['für Hana', 'Hana.png']);
    expect(request.uninspectable).toMatchObject([{ kind: 'image', pointer: 'file', mediaType: 'image/png' }]);
    expect(request.uninspectable[0]?.bytes?.()).toEqual(bodyBytes('multipart', png));
    const output = request.rewrite(['für [NAME-1]', '[NAME-1].png']);
    expect(new TextDecoder().decode(bodyBytes('multipart', output))).toContain('für [NAME-1]');
    expect(output).toContain('filename="[NAME-1].png"');
    expect(output).toContain(png);
  });

  it('field and file names in every spelling, and text around the parts', () => {
    const whole = `before Hana\r\n${body(
      part('Content-Disposition: form-data; name="to Hana"; filename=Hana.txt', 'a'),
      part('Content-Disposition: form-data; name="f"; filename*=UTF-8\'\'f%C3%BCr%20Hana.txt', 'b'),
      part('Content-Type: application/json; x=1', '{"id":"Hana Morita"}'),
    )}after Hana`;
    const output = mask('multipart', whole, { '[NAME-1]': 'Hana' }, contentType);
    expect(output).toBe(
      whole.replace('f%C3%BCr%20Hana.txt', 'f%C3%BCr%20%5BNAME-1%5D.txt').replaceAll('Hana', '[NAME-1]'),
    );
  });

  it('a line that only begins like a delimiter is content', () => {
    const head = 'Content-Type: text/plain';
    const whole = body(part(head, 'x\r\n--b-1x\r\nHana\r\n--b-1 y\r\n'), part(head, 'z'));
    expect(parseRequestBody('multipart', whole, { contentType }).leaves).toEqual([
      'x\r\n--b-1x\r\nHana\r\n--b-1 y\r\n',
      'z',
    ]);
  });

  it('a file name in another charset keeps its bytes', () => {
    const named = (name: string) =>
      body(part(`Content-Disposition: form-data; name=f; filename*=iso-8859-1''${name}`, 'x'));
    expect(mask('multipart', named('%E9%20%48ana.txt'), { '[NAME-1]': 'Hana' }, contentType)).toBe(
      named('%E9%20%5BNAME-1%5D.txt'),
    );
  });

  it('other fields of a part are sent as well', () => {
    const whole = body(part('Content-Disposition: form-data; name="f"\r\nX-Note: for Hana', 'x'));
    expect(mask('multipart', whole, { '[NAME-1]': 'Hana' }, contentType)).toBe(whole.replace('Hana', '[NAME-1]'));
  });

  it.each([
    ['before the disposition', 'X-Note: Hana\r\nContent-Disposition: form-data; name="f"; filename="Hana.txt"'],
    ['folded', 'Content-Disposition: form-data; name="f";\r\n filename="Hana.txt"\r\nX-Note: a\r\n\tHana'],
    ['a second disposition', 'Content-Disposition: form-data; name="f"\r\ncontent-disposition: x; filename=Hana.txt'],
    ['a name in the type', 'Content-Type: text/plain; name="Hana Morita.txt"'],
    ['a file name with a space and no quotes', 'Content-Disposition: form-data; name=f; filename=to Hana.txt'],
    ['a line without a name', 'Content-Type: text/plain\r\nHana'],
    ['spaces around the equals sign', 'Content-Disposition: form-data; name = "f" ;filename\t= "Hana.txt"'],
    ['spaces and no quotes', 'Content-Disposition: form-data; name= f; filename = Hana.txt; filename*0=Hana'],
    ['a parameter that readers ignore', 'Content-Disposition: form-data; name="f"; title="Hana"; filename="Hana.txt"'],
    ['an unclosed quote', 'Content-Disposition: form-data; name="f"; filename="Hana'],
    ['a kind of image of its own', 'Content-Disposition: Hana\r\nContent-Type: text/Hana@example.org; title="Hana x"'],
    ['a line end of its own', 'X-Note:Hana\rContent-Disposition:;filename=Hana'],
  ])('fields of a part: %s', (_name, head) => {
    const whole = body(part(head, 'x'), part('Content-Disposition: form-data; name="g"', 'Hana'));
    const expected = whole.replaceAll('Hana', '[NAME-1]').replaceAll(/(?<=\])\r(?!\n)/g, '_');
    expect(mask('multipart', whole, { '[NAME-1]': 'Hana' }, contentType)).toBe(expected);
  });

  it('required parts of a field are not text', () => {
    const kinds = ['text/plain;charset=utf-8', 'multipart/mixed; charset="utf-8"; boundary = "a b"'];
    const types = kinds.map((kind) => `\r\nContent-Type: ${kind}`).join('');
    const whole = body(part(`Content-Disposition: form-data; name = "f[0]"; ;${types}`, 'x'));
    expect(parseRequestBody('multipart', whole, { contentType }).leaves).toEqual(['x']);
  });

  it('encoded parts are not read', () => {
    const whole = body(
      part('Content-Disposition: form-data; name="f"\r\nContent-Transfer-Encoding: base64', 'SGFuYQ=='),
    );
    expect(parseRequestBody('multipart', whole, { contentType }).uninspectable).toEqual([
      { kind: 'binary', pointer: 'f' },
    ]);
  });

  for (const [name, text, type] of [
    ['no boundary', body(part('A: b', 'x')), 'multipart/form-data'],
    ['another boundary', body(part('A: b', 'x')), 'multipart/form-data; boundary=c'],
    ['no end', part('A: b', 'x'), contentType],
  ] as const) {
    it(`refuses ${name}`, () => {
      expect(() => parseRequestBody('multipart', text, { contentType: type })).toThrow(
        expect.objectContaining({ code: 'bad_request' }),
      );
    });
  }
});

describe('bodyKind', () => {
  const rows: [type: string | undefined, kind: string][] = [
    ['application/json; charset=utf-8', 'json'],
    ['application/vnd.api+json', 'json'],
    ['application/x-ndjson', 'ndjson'],
    ['application/jsonl', 'ndjson'],
    ['application/x-www-form-urlencoded', 'form'],
    ['multipart/form-data; boundary=x', 'multipart'],
    ['text/plain;charset=UTF-8', 'text'],
    ['application/xml', 'text'],
    ['image/svg+xml', 'text'],
    ['application/x-amz-json-1.1', 'json'],
    ['application/json+protobuf', 'json'],
    ['application/octet-stream', 'content'],
    ['image/png', 'content'],
    [undefined, 'content'],
    ['application/grpc', 'framed'],
    ['application/grpc-web+proto', 'framed'],
    ['application/connect+json', 'framed'],
    ['application/connection', 'content'],
  ];
  for (const [type, kind] of rows) it(`${type} is ${kind}`, () => expect(bodyKind(type)).toBe(kind));
});

describe('isStructural', () => {
  const rows: [path: string, value: string, structural: boolean][] = [
    ['model', 'gpt-x', true],
    ['model', 'ask a@b.example', false],
    ['messages[].tool_call_id', 'call_1', true],
    ['metadata.user_id', 'u-1', false],
    ['messages[].name', 'Hana', false],
    ['tools[].function.name', 'send_mail', true],
    ['tools[].function.description', 'x', false],
    ['tools[].function.parameters.required[]', 'to', true],
    ['stop[]', 'END', false],
    ['messages[].content[].image_url.url', 'https://x.example/a.png', false],
    ['messages[].content[].image_url.url', 'https://x.example/?m=a@b.example', false],
    ['unheard_of', 'x', false],
    ['at', 'AExample:179', true],
  ];
  for (const [path, value, structural] of rows) {
    it(`${path} = ${value}`, () => expect(isStructural(path, value)).toBe(structural));
  }
});
