import { expect, test } from 'vitest';
import { resumedStream } from '../../../../gateway/proxy/stages/send.ts';

test.each([
  ['/v1/responses/resp_1?stream=true&starting_after=7', '/v1/responses/resp_1?stream=true', 7],
  ['/v1/responses/resp_1?starting_after=7&stream=true', '/v1/responses/resp_1?stream=true', 7],
  ['/openai/v1/responses/r?a=1&starting_after=0&stream=true', '/openai/v1/responses/r?a=1&stream=true', 0],
  ['/v1beta/interactions/i?stream=true&last_event_id=e%2B1', '/v1beta/interactions/i?stream=true', 'e+1'],
])('%s', (path, asked, resumesAfter) => {
  expect(resumedStream('GET', path)).toEqual({ path: asked, resumesAfter });
});

test.each([
  ['GET', '/v1/responses/resp_1?stream=true'],
  ['GET', '/v1/responses/resp_1?starting_after=7'],
  ['GET', '/v1/responses/resp_1?stream=true&starting_after=last'],
  ['GET', '/v1/responses/resp_1?stream=true&starting_after=7&starting_after=9'],
  ['GET', '/v1/responses/resp_1/input_items?stream=true&starting_after=7'],
  ['POST', '/v1/responses/resp_1?stream=true&starting_after=7'],
])('%s %s is unchanged', (method, path) => {
  expect(resumedStream(method, path)).toBeUndefined();
});
