/** GET /admin/license. */
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../server.ts';
import { licence as licenceShape } from './health.ts';

/** Adds GET /admin/license, for administrators. */
export function licenseRoutes(endpoints: Endpoints, { licence }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/admin/license',
    group: 'admin',
    summary: 'The license status.',
    access: 'admin',
    answer: licenceShape,
    handle: () => licence.view(),
  });
}
