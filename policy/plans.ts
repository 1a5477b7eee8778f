/** What an account may do on each plan. */
import { PrivetError } from '../core/errors.ts';

/** The plans, smallest first. */
export const planNames = ['free', 'starter', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

/** The name of a plan in sentences: `Starter`. */
export const planTitle = (plan: PlanName): string => `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;

/** Features that not every plan has. */
export type Feature = 'dictionary' | 'rag';

/** A plan. Credits are per calendar month in UTC, one per call, and do not roll over. */
export type Plan = {
  readonly name: PlanName;
  /** null = unlimited. */
  readonly credits: number | null;
  /** Calls beyond `credits` are allowed and counted instead of refused. */
  readonly overage: boolean;
  /** People with keys; null = unlimited. */
  readonly seats: number | null;
  /** Calls per minute for the whole account unless configured otherwise; null = unlimited. */
  readonly callsPerMinute: number | null;
  readonly features: readonly Feature[];
  /** How durable stores encrypt the values of the account's sessions. */
  readonly protection: 'process' | 'envelope';
};

const all: readonly Feature[] = ['dictionary', 'rag'];

export const plans: Readonly<Record<PlanName, Plan>> = {
  free: {
    name: 'free',
    credits: 300,
    overage: false,
    seats: 1,
    callsPerMinute: 600,
    features: [],
    protection: 'process',
  },
  starter: {
    name: 'starter',
    credits: 10_000,
    overage: false,
    seats: 1,
    callsPerMinute: 3_000,
    features: all,
    protection: 'envelope',
  },
  business: {
    name: 'business',
    credits: 300_000,
    overage: true,
    seats: 50,
    callsPerMinute: 30_000,
    features: all,
    protection: 'envelope',
  },
  enterprise: {
    name: 'enterprise',
    credits: null,
    overage: false,
    seats: null,
    callsPerMinute: null,
    features: all,
    protection: 'envelope',
  },
};

export function planWith(feature: Feature): Plan {
  const name = planNames.find((candidate) => plans[candidate].features.includes(feature));
  return plans[name ?? 'enterprise'];
}

export function planForSeats(seats: number): Plan {
  const name = planNames.find((candidate) => (plans[candidate].seats ?? Number.POSITIVE_INFINITY) >= seats);
  return plans[name ?? 'enterprise'];
}

/** @throws PrivetError `forbidden`, naming the plan needed, when a plan lacks a feature. */
export function requireFeature(plan: Plan, feature: Feature): void {
  if (plan.features.includes(feature)) return;
  const needed = planWith(feature).name;
  const title = { dictionary: 'Custom dictionaries need', rag: 'RAG needs' }[feature];
  throw new PrivetError(
    'forbidden',
    `${title} the ${planTitle(needed)} plan; this account has the ${planTitle(plan.name)} plan.`,
    {
      hint: `Move the account to the ${planTitle(needed)} plan or a larger one.`,
      details: { feature, plan: plan.name, requiredPlan: needed },
    },
  );
}
