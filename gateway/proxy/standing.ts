import type { Policy } from '../../policy/decide.ts';

/** A connection that stands, and what a later policy says of it. */
export type Standing = {
  /** Closes it when the policy blocks its host for its client now. */
  closeIfBlocked(policy: Policy): boolean;
  destroy(): void;
};

/** Closes those that the policy blocks now; how many they were. Closed ones may leave the list that they came from. */
export function closeBlocked(connections: readonly Standing[], policy: Policy): number {
  return connections.filter((connection) => connection.closeIfBlocked(policy)).length;
}
