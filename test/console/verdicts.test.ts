/** The console shows an event as the list and the figures count it. */
import { expect, test } from 'vitest';
import { shownVerdict } from '../../console/admin/shown-verdict.ts';
import { outcomeOf } from '../../gateway/observe/outcome.ts';

const errors = [undefined, 'blocked_by_policy', 'undecodable_body', 'store_unavailable', 'upstream_failed', 'internal'];
const events = ['allow', 'warn', 'block'].flatMap((action) =>
  errors.flatMap((error) => [200, 403, 413, 499, 502, 503].map((status) => ({ action, error, status }))),
);

test.each(events)('$action, $error, $status', ({ action, error, status }) => {
  const shown = shownVerdict({ action, ...(error && { error }), status, inspect: 'mask' });
  const { isDenied } = outcomeOf({ action, ...(error && { error }), status } as Parameters<typeof outcomeOf>[0]);
  expect(shown.action === 'block' || shown.inspect === 'unsent').toBe(isDenied);
});
