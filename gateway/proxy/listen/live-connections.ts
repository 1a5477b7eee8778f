import type { Policy } from '../../../policy/decide.ts';

/** A live connection that a later policy may close. */
export type LiveConnection = {
  /** Closes it if the policy now blocks its host for its client. */
  closeIfBlocked(policy: Policy): boolean;
  destroy(): void;
};

/** Closes the connections that the policy now blocks; returns their number. They may leave the original list. */
export function closeBlocked(connections: readonly LiveConnection[], policy: Policy): number {
  return connections.filter((connection) => connection.closeIfBlocked(policy)).length;
}
