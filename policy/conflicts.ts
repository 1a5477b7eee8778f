/** Errors for values that two services must not share. */
import { PrivetError } from '../core/errors.ts';
import type { Service } from './service.ts';

/** Two services have the same key. */
export function keyTaken({ key }: Service): PrivetError {
  return new PrivetError('conflict', `The key "${key}" is used twice.`);
}

/**
 * Throws PrivetError `conflict` when a name or host of the service with key `ownKey` already belongs to another
 * service.
 */
export function assertOwner(what: string, value: string, owner: string | undefined, ownKey: string | undefined): void {
  if (owner === undefined || owner === ownKey) return;
  throw new PrivetError('conflict', `The ${what} "${value}" belongs to the service "${owner}".`, {
    details: { [what]: value, service: owner },
  });
}
