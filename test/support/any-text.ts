import fc from 'fast-check';

/**
 * Any code point, for `fc.string({ unit: anyCharacter })`: fast-check's own `binary` takes a second of CPU time on
 * first use.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
