import { createPrivet as create, type Privet, type PrivetOptions } from '../../sdk/index.ts';

export const email = 'hanako.yamada@example.co.jp';

/** As the package's, with tokens that a test can name. */
export function createPrivet(options?: PrivetOptions): Privet {
  const privet = create(options);
  return {
    ...privet,
    mask: (text, more) => privet.mask(text, { tokenFormat: 'counter', ...more }),
    maskMessages: (messages, more) => privet.maskMessages(messages, { tokenFormat: 'counter', ...more }),
    maskBody: (body, more) => privet.maskBody(body, { tokenFormat: 'counter', ...more }),
  };
}
