import { describe, expect, test } from 'vitest';
import { hasDisputedDots, isPathUnder, normalizePath } from '../../policy/path.ts';

describe('one spelling for every path', () => {
  test.each([
    ['/magic', '/magic'],
    ['/Magic/', '/magic'],
    ['', '/'],
    ['/', '/'],
    ['/a/b-c/d_1', '/a/b-c/d_1'],
    ['/a/B', '/a/b'],
    ['/a/', '/a'],
    ['/a?x\ny', '/a'],
    ['/a?x#y?z', '/a'],
    ['/a b', '/a b'],
    ['/magic?x=/../y', '/magic'],
    ['/magic#x', '/magic'],
    ['/%6dagic', '/magic'],
    ['/magic%2Fhome', '/magic/home'],
    ['//magic', '/magic'],
    ['/./magic', '/magic'],
    ['/x/../magic', '/magic'],
    ['/x/%2e%2e/magic', '/magic'],
    ['/../../magic', '/magic'],
    ['/x\\..\\magic', '/magic'],
    ['/magic;v=1/home', '/magic/home'],
    ['/%e3%81%82', '/あ'],
    ['/%ff/%6dagic', '/%ff/magic'],
    ['/%', '/%'],
    // Only once: double decoding is the origin's own mistake.
    ['/%256dagic', '/%6dagic'],
  ])('%s → %s', (input, expected) => {
    expect(normalizePath(input)).toBe(expected);
  });
});

test.each([
  ['/magic', '/magic', true],
  ['/magic/home', '/magic', true],
  ['/magical', '/magic', false],
  ['/mag', '/magic', false],
  ['/x/magic', '/magic', false],
  ['/anything', '/', true],
])('%s under %s: %s', (path, prefix, expected) => {
  expect(isPathUnder(path, prefix)).toBe(expected);
});

test.each([
  ['/chat/api/..%2f..%2fx', true],
  ['/chat/api/..%2F..%2Fx', true],
  ['/chat/%2e%2e%2fx', true],
  ['/chat/..;/x', true],
  ['/chat/..%3ba/x', true],
  ['/chat/..;', true],
  ['/chat;a/..;/x', true],
  ['/chat;a/../x', true],
  ['/chat\\..\\x', true],
  ['/chat/..%5cx', true],
  ['/chat/%ff/..%2fx', true],
  // What a plain `..` removes depends on what precedes it.
  ['/docs%2fa/../v1/chat', true],
  ['/docs//../v1/chat', true],
  ['/docs/;/../v1/chat', true],
  ['/x/../magic', false],
  ['/x/%2e%2E/magic', false],
  ['/x/..', false],
  ['/a%2fb/c;d=1//e', false],
  ['/object/a..%2fb', false],
  ['/object/..a%2fb', false],
  ['/object/...%2fb', false],
  ['/a...b', false],
  ['/x?next=/a;b/..%2fc', false],
  ['/', false],
])('servers treat the dots of %s differently: %s', (path, expected) => {
  expect(hasDisputedDots(path)).toBe(expected);
});
