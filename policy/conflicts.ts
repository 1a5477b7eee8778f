/** What two services may not share. */
import { PrivetError } from '../core/errors.ts';
import type { Service } from './service.ts';

/** Two services have one key. */
export function keyTaken({ key }: Service): PrivetError {
  return new PrivetError('conflict', `The key "${key}" is used twice.`);
}

/** Throws PrivetError `conflict` when the name or host of a service (`ownKey` its key) belongs to another. */
export function assertOwner(what: string, value: string, owner: string | undefined, ownKey: string | undefined): void {
  if (owner === undefined || owner === ownKey) return;
  throw new PrivetError('conflict', `The ${what} "${value}" belongs to the service "${owner}".`, {
    details: { [what]: value, service: owner },
  });
}
