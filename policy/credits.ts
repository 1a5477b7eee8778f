/** Credits: what a plan gives a month, what is left, and what goes beyond. */
import type { Plan } from './plans.ts';

/** Yen per 1,000 calls beyond the credits of a plan with overage. */
const overageYenPerThousand = 0.2;

/** The month of an instant in UTC, `2026-11`. */
export function monthOf(at: Date): string {
  return `${at.getUTCFullYear()}-${String(at.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The first instant of the next month, UTC. */
export function resetsAt(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}

/** The credits beyond which a call is refused; null = never. */
export function creditsMax(plan: Plan): number | null {
  return plan.overage ? null : plan.credits;
}

/** Total and remaining credits of a plan without a limit: an integer that a typed client can read and never uses up. */
const unlimitedCredits = Number.MAX_SAFE_INTEGER;

/** What an account sees of its credits. */
export type CreditsView = {
  readonly plan: Plan['name'];
  readonly creditsTotal: number;
  readonly creditsRemaining: number;
  readonly used: number;
  /** The plan has no limit; total and remaining are the largest integer that JSON clients read exactly. */
  readonly unlimited: boolean;
  readonly resetsAt: string;
  /** Present on plans that go on beyond their credits. */
  readonly overage?: { readonly calls: number; readonly yenPerThousand: number; readonly yen: number };
};

/** The view of a month in which `used` credits have gone. */
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
  // In ten-thousandths of a yen, so that no sum shows 0.30000000000000004.
  const yen = Math.round(calls * overageYenPerThousand * 10) / 10_000;
  return { ...view, overage: { calls, yenPerThousand: overageYenPerThousand, yen } };
}
