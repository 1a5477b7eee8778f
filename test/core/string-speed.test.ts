import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

/**
 * V8 reads single characters of strings several times slower in the whole process once any object has the prototype of
 * strings as its own: a class that extends `String` is enough.
 */
describe('reading characters of strings stays fast', () => {
  test.each(['core/detect/detector.ts', 'core/dictionary/dictionary.ts', 'gateway/gateway.ts'])('with %s', (file) => {
    const script = `await import(${JSON.stringify(new URL(`../../${file}`, import.meta.url).href)});
      process.stdout.write(String(%HasFastProperties(String.prototype)), () => process.exit());`;
    const options = { encoding: 'utf8' } as const;
    const written = execFileSync(
      process.execPath,
      ['--allow-natives-syntax', '--input-type=module', '-e', script],
      options,
    );
    expect(written).toBe('true');
  });
});
