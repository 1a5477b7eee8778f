/** The plans of accounts, with their names. */
import { capitalized } from '../../core/wording/capitalized.ts';

export const planNames = ['free', 'starter', 'business', 'enterprise'] as const;

/** `Business`; plan names are the same in every language. */
export const planTitle = capitalized;

export const planChoices = planNames.map((plan) => [plan, planTitle(plan)] as const);
