/** Events made to cost time or memory: they must not delay the gateway's other clients. */
import { expect, test } from 'vitest';
import { JsonFence } from '../../../core/payload/json-fence.ts';
import { expectLinear } from '../../support/linear-time.ts';

test('a text read in many pieces, one for each token, takes linear time', () => {
  expectLinear((length) => {
    const text = 'word '.repeat(length / 5);
    return () => {
      const fence = new JsonFence();
      for (let at = 0; at < text.length; at += 2) fence.push(text, at, at + 2);
      expect(fence.escape('"')).toBe('"');
    };
  }, 20_000);
});
