/** GET /admin/labels: display names for the keys in events and statistics. */

import { brotliCompressSync } from 'node:zlib';
import { z } from 'zod';
import { typeInfos, typeLabel } from '../../../core/types.ts';
import { knownReasons, reasonText } from '../../portal/reasons.ts';
import { serviceKinds } from '../../service-kinds.ts';
import type { Endpoints } from '../endpoint.ts';
import { encodingFor } from '../pages.ts';
import type { ApiParts } from '../parts.ts';

const languages = ['en', 'ja'] as const;
const names = z.record(z.string(), z.string());
type Made = { readonly version: number; readonly plain: Buffer; readonly packed: Buffer };

export function labelRoutes(endpoints: Endpoints, { registry }: ApiParts): void {
  const made = new Map<string, Made>();
  endpoints.add({
    method: 'GET',
    path: '/admin/labels',
    group: 'admin',
    access: 'admin',
    summary: 'Display names of services, service kinds, registry reasons and types of personal data, by key.',
    query: z.strictObject({ lang: z.enum(languages).optional().describe('Not for service names; default en.') }),
    answer: z.object({ services: names, kinds: names, types: names, reasons: names }),
    handle({ query: { lang = 'en' }, request, reply }) {
      let answer = made.get(lang);
      if (answer?.version !== registry.version) {
        const services = Object.fromEntries(registry.list().map(({ key, service_name: name }) => [key, name]));
        const types = Object.fromEntries(typeInfos.map(({ type }) => [type, typeLabel(type, lang)]));
        const reasons = Object.fromEntries(knownReasons.map((reason) => [reason, reasonText(reason, lang)]));
        const plain = Buffer.from(JSON.stringify({ services, kinds: serviceKinds[lang], types, reasons }));
        answer = { version: registry.version, plain, packed: brotliCompressSync(plain) };
        made.set(lang, answer);
      }
      // Uncompressed, the names (40 KB) would be half of the console's first page load.
      const isPacked = encodingFor(request.headers['accept-encoding']) === 'br';
      reply.header('vary', 'Accept-Encoding').type('application/json; charset=utf-8');
      if (isPacked) reply.header('content-encoding', 'br');
      return reply.send(isPacked ? answer.packed : answer.plain);
    },
  });
}
