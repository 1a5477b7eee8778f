/** A body restorer that records its output. */
import { onTestFinished } from 'vitest';
import { MemoryVault } from '../../../../core/vault.ts';
import { BodyRestorer, type RestorePlan } from '../../../../gateway/proxy/answer/restoring.ts';

export const vault = new MemoryVault();
vault.reserve('s', [{ type: 'EMAIL', value: 'ann@corp.example' }]);

export const map = vault.tokens('s');
if (!map) throw new Error('no tokens');

type Run = { restorer: BodyRestorer; output: () => string; pieces: Buffer[]; ended: Promise<'end' | 'fail'> };

export function open(
  plan: Exclude<RestorePlan, 'pass'>,
  options: {
    contentEncoding?: string;
    keepAliveMs?: number;
    bytesMax?: number;
    length?: number;
    client?: string;
    /** The client wants a pause after each piece. */
    isSlow?: boolean;
  } = {},
): Run {
  const pieces: Buffer[] = [];
  let settle: (how: 'end' | 'fail') => void = () => {};
  const ended = new Promise<'end' | 'fail'>((resolve) => {
    settle = resolve;
  });
  const restorer = BodyRestorer.create({
    plan,
    contentEncoding: options.contentEncoding,
    map: map as NonNullable<typeof map>,
    bytesMax: options.bytesMax ?? 1 << 20,
    ...(options.keepAliveMs && { keepAliveMs: options.keepAliveMs }),
    length: options.length,
    client: options.client,
    sink: {
      write: (bytes) => {
        pieces.push(Buffer.from(bytes));
        return options.isSlow !== true;
      },
      end: () => settle('end'),
      fail: () => settle('fail'),
    },
  });
  if (!restorer) throw new Error('unknown coding');
  onTestFinished(() => restorer.close());
  return { restorer, pieces, ended, output: () => Buffer.concat(pieces).toString() };
}

export const push = (run: Run, text: string | Buffer) => run.restorer.push(Buffer.from(text), () => {});
