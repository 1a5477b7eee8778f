/** Credits: the monthly allowance of a plan, the rest of it, and the overage. */
import type { Plan } from './plans.ts';

/** Price in yen of 1,000 calls beyond the credits, on plans with overage. */
const overageYenPerThousand = 0.2;

/** The UTC month of a date as `2026-11`. */
export function monthOf(at: Date): string {
  return `${at.getUTCFullYear()}-${String(at.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The first moment of the next month, UTC. */
export function resetsAt(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}

/** Number of credits after which calls are refused; null = never. */
export function creditsMax(plan: Plan): number | null {
  return plan.overage ? null : plan.credits;
}

/**
 * Reported as total and remaining on plans without a limit: the largest integer that typed clients can read exactly.
 */
const unlimitedCredits = Number.MAX_SAFE_INTEGER;

/** The credits as an account sees them. */
export type CreditsView = {
  readonly plan: Plan['name'];
  readonly creditsTotal: number;
  readonly creditsRemaining: number;
  readonly used: number;
  /** The plan has no limit; total and remaining are the largest integer that JSON clients read exactly. */
  readonly unlimited: boolean;
  readonly resetsAt: string;
  /** Only on plans that allow overage. */
  readonly overage?: { readonly calls: number; readonly yenPerThousand: number; readonly yen: number };
};

/** The credits of a month in which `used` credits have been spent. */
export function creditsView(plan: Plan, used: number, at: Date): CreditsView {
  const view = {
    plan: plan.name,
    creditsTotal: plan.credits ?? unlimitedCredits,
    creditsRemaining: plan.credits === null ? unlimitedCredits : Math.max(0, plan.credits - used),
    used,
    unlimited: plan.credits === null,
    resetsAt: resetsAt(at).toISOString(),
  };
  if (!plan.overage || plan.credits === null) return view;
  const calls = Math.max(0, used - plan.credits);
  // Computed in ten-thousandths of a yen, so that no sum shows 0.30000000000000004.
  const yen = Math.round(calls * overageYenPerThousand * 10) / 10_000;
  return { ...view, overage: { calls, yenPerThousand: overageYenPerThousand, yen } };
}
