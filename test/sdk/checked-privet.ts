import { createPrivet as create, type Privet, type PrivetOptions } from '../../sdk/index.ts';

export const email = 'hanako.yamada@example.co.jp';

/** Like that of the package, with predictable tokens. */
export function createPrivet(options?: PrivetOptions): Privet {
  const privet = create(options);
  return {
    ...privet,
    mask: (text, more) => privet.mask(text, { tokenFormat: 'counter', ...more }),
    maskMessages: (messages, more) => privet.maskMessages(messages, { tokenFormat: 'counter', ...more }),
    maskBody: (body, more) => privet.maskBody(body, { tokenFormat: 'counter', ...more }),
  };
}
