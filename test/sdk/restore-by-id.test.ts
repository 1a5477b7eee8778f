/** `restore` with the id of a token in place of the token. */
import { expect, test } from 'vitest';
import { MemoryVault } from '../../core/vault.ts';
import { createPrivet as create } from '../../sdk/index.ts';
import { email } from './checked-privet.ts';

const other = 'taro@example.com';

test('a token by the id in it, of any call and vault', async () => {
  const kept = new MemoryVault();
  const vault = { reserve: kept.reserve.bind(kept), tokens: kept.tokens.bind(kept), drop: kept.drop.bind(kept) };
  const stored = create({ vault });
  for (const { mask, restore, restoreAll, ragIngest } of [create({ lang: 'en' }), stored]) {
    const masked = await mask(`Write to ${email}`);
    const { tokenMap } = await ragIngest(`Write to ${other}`);
    // Opened by its use, and not.
    const [, used] = [await mask(`Write to ${other}`), await mask(`Write to ${other}`)];
    await restoreAll(used.masked, used);
    for (const [from, value] of [
      [masked, email],
      [used, other],
      [{ tokenMap }, other],
    ] as const) {
      const [token = ''] = Object.keys(from.tokenMap);
      const [, id = ''] = /id=(\w+)\]$/.exec(token) ?? [];
      for (const given of [id, ` ${id}\n`, `[SECURED:${id}]`]) {
        expect(await restore(given, from)).toEqual({ token, restored: value });
        if (restore !== stored.restore) expect(await restore(given)).toEqual({ token, restored: value });
      }
      await expect(restore(id, await mask('hello'))).rejects.toMatchObject({ code: 'not_found' });
    }
  }
  const { restore } = create();
  const foreign = { tokenMap: { '[SECURED:1f3a9c]': email, '[EMAIL-7]': other } };
  expect(await restore('1f3a9c', foreign)).toEqual({ token: '[SECURED:1f3a9c]', restored: email });
  expect(await restore('EMAIL-7', foreign)).toEqual({ token: '[EMAIL-7]', restored: other });
  const lettersOnly = '[SECURED:type=EMAIL,id=qhjuuzhnaqvvevms]';
  for (const given of ['qhjuuzhnaqvvevms', '[SECURED:qhjuuzhnaqvvevms]']) {
    expect(await restore(given, { tokenMap: { [lettersOnly]: email } })).toEqual({
      token: lettersOnly,
      restored: email,
    });
  }
  await expect(restore('abcdefghijkmnpqr')).rejects.toMatchObject({ code: 'not_found' });
});
