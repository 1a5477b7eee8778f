/**
 * Loads, while the gateway is idle, what the first request would otherwise wait for: trust anchors, word lists and
 * models, each up to 60 ms. A process that ends soon saves the work.
 */
import { Detector } from '../core/detect/detector.ts';
import { injectionChecks } from './long-texts/long-texts.ts';

const startMs = 60_000;
const pauseMs = 100;

/** Starts after a delay; `readTrustAnchors` is the first step. */
export function warmUpSoon(readTrustAnchors: () => void): void {
  const detect = (text: string) => void new Detector().detect(text);
  const steps = [
    readTrustAnchors,
    () => detect('Please call Anna Schmidt about account number 12345678.'),
    () => detect('山田花子様の口座番号は12345678です。'),
    () => void injectionChecks.prompt('The quick brown fox answers a question about the weather. '.repeat(40), {}),
  ];
  const next = () => {
    steps.shift()?.();
    if (steps.length > 0) setTimeout(next, pauseMs).unref();
  };
  setTimeout(next, startMs).unref();
}
