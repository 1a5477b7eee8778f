/** Bodies that are kept until they are whole have to come: a drop now and then would hold their memory for ever. */
import { PrivetError } from '../../core/errors.ts';

/** The slowest links of people bring ten times as much; servers of the web ask for about the same. */
const bytesPerSecondMin = 500;
const checkMs = 1_000;

/**
 * Calls `onSlow` once when less has come than the least rate asks for; the first `graceMs` do not count. The result ends
 * the watch.
 */
export function watchRate(received: () => number, graceMs: number, onSlow: (error: PrivetError) => void): () => void {
  const startedAt = performance.now();
  const check = () => {
    const dueMs = performance.now() - startedAt - graceMs;
    if (received() >= (dueMs / 1_000) * bytesPerSecondMin) timer = setTimeout(check, checkMs);
    else onSlow(new PrivetError('request_timeout', 'Step read: the body comes too slowly.'));
  };
  let timer = setTimeout(check, graceMs + checkMs);
  return () => clearTimeout(timer);
}
