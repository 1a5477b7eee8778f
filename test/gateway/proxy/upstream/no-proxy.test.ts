import { describe, expect, test } from 'vitest';
import { NoProxy } from '../../../../gateway/proxy/upstream/parents.ts';

describe('NoProxy', () => {
  test.each<[list: string | string[], host: string, port: number, expected: boolean]>([
    ['*', 'a.example', 443, true],
    ['', 'a.example', 443, false],
    ['a.example', 'a.example', 443, true],
    ['a.example', 'b.a.example', 443, true],
    ['a.example', 'ba.example', 443, false],
    ['A.Example.', 'a.example', 443, true],
    ['.a.example', 'b.a.example', 443, true],
    ['.a.example', 'a.example', 443, true],
    ['*.a.example', 'b.a.example', 443, true],
    ['x.example, a.example', 'a.example', 443, true],
    ['x.example a.example', 'a.example', 443, true],
    [['x.example', 'a.example'], 'a.example', 443, true],
    ['a.example:8443', 'a.example', 8443, true],
    ['a.example:8443', 'a.example', 443, false],
    ['10.0.0.1', '10.0.0.1', 443, true],
    ['10.0.0.1:80', '10.0.0.1', 443, false],
    ['10.0.0.0/8', '10.9.8.7', 443, true],
    ['10.0.0.0/8', '11.0.0.1', 443, false],
    ['10.0.0.0/8', 'ten.example', 443, false],
    ['fd00::/8', 'fd12::1', 443, true],
    ['[fd00::1]', 'fd00::1', 443, true],
    ['fd00::1', 'fd00::1', 443, true],
    ['[fd00::1]:8443', 'fd00::1', 8443, true],
    ['[fd00::1]:8443', 'fd00::1', 443, false],
    ['münchen.example', 'xn--mnchen-3ya.example', 443, true],
    ['10.0.0.0/99, %%, a.example', 'a.example', 443, true],
    ['example', 'example', 80, true],
  ])('%j: %s port %i is %s', (list, host, port, expected) => {
    expect(new NoProxy([list].flat()).has(host, port)).toBe(expected);
  });
});
