import { describe, expect, test } from 'vitest';
import type { Findings } from '../../../core/payload/document.ts';
import { isFormText, openForm } from '../../../core/payload/form.ts';
import { parseRequestBody } from '../../../core/payload/request.ts';

function opened(body: string, change = (text: string) => text.toUpperCase()) {
  const findings: Findings = { leaves: [], sealed: [], uninspectable: [] };
  const document = openForm(body, findings);
  let next = 0;
  const changes = { text: () => change(findings.leaves[next++] ?? ''), part: () => undefined };
  return { leaves: findings.leaves, rewritten: document.rewrite(changes) };
}

describe('forms', () => {
  test.each<[body: string, leaves: string[], rewritten: string | undefined]>([
    ['a=x&b=y', ['x', 'y'], 'a=X&b=Y'],
    ['a=x+y', ['x y'], 'a=X+Y'],
    ['a=x%20y', ['x y'], 'a=X%20Y'],
    ['a=1+2&b=%C3%A9', ['1 2', 'é'], 'a=1+2&b=%C3%89'],
    ['a=x=y&b==z', ['x=y', 'z'], 'a=X%3DY&b==Z'],
    ['a=', [], undefined],
    ['&&a=x&', ['x'], '&&a=X&'],
    ['a=%zz', ['%zz'], 'a=%25ZZ'],
    ['a=%C3', ['\udcc3'], 'a=%C3'],
    ['a=caf%E9+jo%40x', ['caf\udce9 jo@x'], 'a=CAF%E9+JO%40X'],
    ['a=50%+off+jo%40x', ['50% off jo@x'], 'a=50%25+OFF+JO%40X'],
    ['a=%ed%a0%80%c3%a9', ['\udced\udca0\udc80é'], 'a=%ED%A0%80%C3%89'],
    ['jo%40x=1', ['jo@x', '1'], 'JO%40X=1'],
    ['just a text', ['just a text'], 'JUST%20A%20TEXT'],
    ['a[b].c:d-e=x', ['x'], 'a[b].c:d-e=X'],
    ['tel0901234567=x', ['tel0901234567', 'x'], 'TEL0901234567=X'],
    ['n12345678=x', ['x'], 'n12345678=X'],
    ['a={"b":"x"}', ['x'], 'a=%7B%22b%22%3A%22X%22%7D'],
    ['{"b":"x"}', ['x'], '{"b":"X"}'],
    [' \n[ "x" ]', ['x'], ' \n[ "X" ]'],
    ['{"b":"x"}\n{"b":"y"}\n', ['x', 'y'], '{"b":"X"}\n{"b":"Y"}\n'],
    ['\ufeff{"b":"x"}', ['x'], '\ufeff{"b":"X"}'],
    ['[card]=x+1&[0][b]=%E5%B1%B1', ['x 1', '山'], '[card]=X+1&[0][b]=%E5%B1%B1'],
    ['{"b":"x', ['{"b":"x'], '{"B":"X'],
    ['[x+y]', ['[x y]'], '%5BX+Y%5D'],
    ['{a}=x%20y', ['{a}', 'x y'], '%7BA%7D=X%20Y'],
    ['["x"]=y+z', ['["x"]', 'y z'], '%5B%22X%22%5D=Y+Z'],
    ['id=x1', [], undefined],
    ['a=jo+x@y', ['jo x@y'], 'a=JO+X%40Y'],
    ['a=x [y]', ['x [y]'], 'a=X%20%5BY%5D'],
    ['model=gpt-4&b=x', ['x'], 'model=gpt-4&b=X'],
    ['model=jo@x.example', ['jo@x.example'], 'model=JO%40X.EXAMPLE'],
    ['', [], undefined],
  ])('%s', (body, leaves, rewritten) => expect(opened(body)).toEqual({ leaves, rewritten }));

  test('unchanged parts keep their bytes', () => {
    const body = 'a=%7e+%7E&b=x';
    const findings: Findings = { leaves: [], sealed: [], uninspectable: [] };
    const document = openForm(body, findings);
    expect(document.rewrite({ text: () => undefined, part: () => undefined })).toBeUndefined();
    let next = 0;
    expect(document.rewrite({ text: () => (next++ === 1 ? 'y' : undefined), part: () => undefined })).toBe(
      'a=%7e+%7E&b=y',
    );
  });

  test('lone surrogates cannot be sent', () => {
    expect(opened('a=x', () => '\ud800').rewritten).toBe('a=%EF%BF%BD');
  });
});

describe('texts that look like forms', () => {
  test.each<[body: string, leaves: string[], rewritten: string]>([
    ['q=x%20y', ['x y'], 'q=X%20Y'],
    ['q=x+y&id=%41', ['x y', 'A'], 'q=X+Y&id=%41'],
    ['https://h.example/?q=x%40y', ['https://h.example/?q', 'x@y'], 'HTTPS%3A%2F%2FH.EXAMPLE%2F%3FQ=X%40Y'],
    ['tel=+8190&q=%20', ['+8190', ' '], 'tel=+8190&q=%20'],
    ['mail=jo+x@y.example', ['jo+x@y.example'], 'mail=JO+X%40Y.EXAMPLE'],
    ['q=xy', ['q=xy'], 'Q=XY'],
    ['q=x y+z', ['q=x y+z'], 'Q=X Y+Z'],
    ['x+y', ['x+y'], 'X+Y'],
    ['q=x+y&z', ['q=x+y&z'], 'Q=X+Y&Z'],
    ['q=x+y&=z', ['q=x+y&=z'], 'Q=X+Y&=Z'],
    ['q=x+y&', ['q=x+y&'], 'Q=X+Y&'],
    ['=x+y&q=z', ['=x+y&q=z'], '=X+Y&Q=Z'],
    ['[0][b]=%E5%B1%B1', ['山'], '[0][b]=%E5%B1%B1'],
    ['{"a":"x%20=y"}', ['x%20=y'], '{"a":"X%20=Y"}'],
  ])('%s', (body, leaves, rewritten) => {
    for (const kind of ['text', 'content'] as const) {
      const chars = kind === 'content' ? Buffer.from(body).toString('latin1') : body;
      const parsed = parseRequestBody(kind, chars);
      expect(parsed.leaves).toEqual(leaves);
      expect(parsed.rewrite(leaves.map((leaf) => leaf.toUpperCase()))).toBe(rewritten);
      expect(parsed.rewrite(leaves)).toBe(chars);
    }
  });

  test('of any length', () => {
    expect(isFormText(`${'a=b&'.repeat(5_000_000)}a=+`)).toBe(true);
    expect(isFormText(`${'a=b&'.repeat(5_000_000)}a+`)).toBe(false);
  });
});
