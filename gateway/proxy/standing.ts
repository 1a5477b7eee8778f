import type { Policy } from '../../policy/decide.ts';

/** A connection that stands, and what a later policy says of it. */
export type Standing = {
  /** Closes it when the policy blocks its host for its client now. */
  closeIfBlocked(policy: Policy): boolean;
  destroy(): void;
};
