/** Prometheus metrics, for the addresses in `api.metrics_allow` and for administrators. */

import { PrivetError } from '../../../core/errors.ts';
import { CidrSet } from '../../../policy/address.ts';
import { isOwnName } from '../../own-name.ts';
import { bearerKey } from '../auth.ts';
import { clientAddress } from '../client-address.ts';
import type { Endpoints } from '../endpoint.ts';
import type { ApiParts } from '../parts.ts';

const here = new CidrSet(['loopback']);

export function metricsRoutes(endpoints: Endpoints, { accounts, metrics, metricsAllow, metricsOfAll }: ApiParts): void {
  endpoints.add({
    method: 'GET',
    path: '/metrics',
    group: 'state',
    summary: 'Metrics in the text format of Prometheus.',
    refusals: [403],
    access: 'open',
    answerType: 'text/plain',
    async handle({ request, reply }) {
      const address = clientAddress(request);
      // Web pages open on this machine also connect from here, so check the Host.
      const isForeign = here.has(address) && !isOwnName(request.headers.host ?? 'localhost');
      const isAllowed = (metricsAllow().has(address) && !isForeign) || (await isAdmin(bearerKey(request)));
      if (isForeign && !isAllowed) {
        throw new PrivetError('forbidden', 'The metrics are not available under this name.', {
          hint: 'Use localhost or an IP address, or send the admin key.',
        });
      }
      if (!isAllowed) {
        throw new PrivetError('forbidden', 'Your address may not read the metrics.', {
          hint: 'Add the network to api.metrics_allow.',
        });
      }
      reply.type(metrics.contentType);
      return metricsOfAll === undefined ? metrics.expose() : metricsOfAll();
    },
  });

  async function isAdmin(key: string | undefined): Promise<boolean> {
    return key !== undefined && (await accounts.authenticate(key))?.role === 'admin';
  }
}
