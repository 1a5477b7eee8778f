/** What two services may not share. */
import { PrivetError } from '../core/errors.ts';
import type { Service } from './service.ts';

/** Two services have one id. */
export function idTaken({ id }: Service): PrivetError {
  return new PrivetError('conflict', `The id "${id}" is used twice.`);
}

/** Throws PrivetError `conflict` when the name or host of a service (`ownId` its id) belongs to another. */
export function assertOwner(what: string, value: string, owner: string | undefined, ownId: string | undefined): void {
  if (owner === undefined || owner === ownId) return;
  throw new PrivetError('conflict', `The ${what} "${value}" belongs to the service "${owner}".`, {
    details: { [what]: value, service: owner },
  });
}
