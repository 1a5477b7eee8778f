import { describe, expect, test } from 'vitest';
import { SignInLimits } from '../../../../gateway/proxy/admit/sign-in-limits.ts';

describe('SignInLimits', () => {
  test('no more attempts run concurrently than may fail', async () => {
    const limits = new SignInLimits();
    let running = 0;
    let runningMax = 0;
    let refused = 0;
    const guess = async (name: string) => {
      const leave = await limits.enter('192.0.2.1', name);
      if (!leave) return void refused++;
      running++;
      runningMax = Math.max(runningMax, running);
      await new Promise((resolve) => setImmediate(resolve));
      limits.fail('192.0.2.1');
      running--;
      leave();
    };
    await Promise.all(Array.from({ length: 200 }, () => guess('ann')));
    expect(runningMax).toBe(10);
    // Ten at once, and one that has waited.
    expect(refused).toBe(189);
  });

  test('all valid sign-ins succeed, however many come at once from one address', async () => {
    const limits = new SignInLimits();
    const enter = async (i: number) => {
      const leave = await limits.enter('192.0.2.1', `user ${i}`);
      await new Promise((resolve) => setImmediate(resolve));
      leave?.();
      return leave !== undefined;
    };
    const entered = await Promise.all(Array.from({ length: 300 }, (_, i) => enter(i)));
    expect(entered.every(Boolean)).toBe(true);
  });

  test('another address of the same /64 counts as the same sender', () => {
    const limits = new SignInLimits();
    const answered = Array.from({ length: 11 }, (_, i) => limits.fail(`2001:db8::${i.toString(16)}`));
    expect(answered).toEqual([...Array.from({ length: 10 }, () => true), false]);
    expect(limits.fail('2001:db8:0:1::1')).toBe(true);
  });
});
