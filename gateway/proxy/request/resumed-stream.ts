/**
 * Requests that resume a stream after the last event that the client has received. A token, link or offset may start in
 * an earlier event, so we request the stream from its start and send only the new events.
 */
import { percentDecoded } from '../../../core/payload/percent.ts';

/** The target without the resume point, and the resume point. */
export type ResumedStream = { readonly path: string; readonly resumesAfter: number | string };

const streams = /\/(?:responses|interactions)\/[^/?]+\?/;
const parameter = /[?&](starting_after|last_event_id)=([^&]*)/g;

/**
 * Parses `GET /v1/responses/{id}?stream=true&starting_after=…` (OpenAI, Azure) and `GET
 * /v1beta/interactions/{id}?stream=true&last_event_id=…` (Gemini), which without that parameter start at the start.
 * Undefined for other requests.
 */
export function resumedStream(method: string, path: string): ResumedStream | undefined {
  if (method !== 'GET' || !streams.test(path) || !/[?&]stream=true(?:&|$)/i.test(path)) return undefined;
  const [found, second] = path.matchAll(parameter);
  if (found === undefined || second !== undefined) return undefined;
  const [whole, name, written = ''] = found;
  const value = percentDecoded(written);
  if (name === 'starting_after' ? !/^\d{1,9}$/.test(value) : value === '') return undefined;
  const rest = path.slice(found.index + whole.length);
  const start = path.slice(0, found.index);
  return {
    path: start + (whole.startsWith('?') && rest.startsWith('&') ? `?${rest.slice(1)}` : rest),
    resumesAfter: name === 'starting_after' ? Number(value) : value,
  };
}
