/** Bodies that are kept until they are whole have to come: a drop now and then would hold their memory for ever. */
import { PrivetError } from '../../core/errors.ts';

/** The slowest links of people bring ten times as much; servers of the web ask for about the same. */
const bytesPerSecondMin = 500;
const checkMs = 1_000;
/** What came faster lets a body pause for a minute, not for the hours in which its length would make up for it. */
const aheadBytesMax = 60 * bytesPerSecondMin;

/**
 * Calls `onSlow` once when less comes than the least rate asks for; the first `graceMs` do not count. The result ends the
 * watch.
 */
export function watchRate(received: () => number, graceMs: number, onSlow: (error: PrivetError) => void): () => void {
  let counted = 0;
  let ahead = 0;
  let dueAt = performance.now() + graceMs;
  const check = () => {
    const now = performance.now();
    const size = received();
    ahead = Math.min(ahead + size - counted, aheadBytesMax) - ((now - dueAt) / 1_000) * bytesPerSecondMin;
    counted = size;
    dueAt = now;
    if (ahead >= 0) timer = setTimeout(check, checkMs);
    else onSlow(new PrivetError('request_timeout', 'Step read: the body comes too slowly.'));
  };
  let timer = setTimeout(check, graceMs + checkMs);
  return () => clearTimeout(timer);
}
