/** GET /admin/license. */

import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';
import { license as licenseShape } from './health.ts';

/** Adds GET /admin/license, for administrators. */
export function licenseRoutes(endpoints: Endpoints, { license }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/admin/license',
    group: 'admin',
    summary: 'The license status.',
    access: 'admin',
    answer: licenseShape,
    handle: () => license.view(),
  });
}
