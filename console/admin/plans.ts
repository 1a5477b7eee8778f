/** The plans of accounts, with their names. */
import { capitalized } from './format.ts';

export const planNames = ['free', 'starter', 'business', 'enterprise'] as const;

/** `Business`; plans are called the same in every language. */
export const planTitle = capitalized;

/** The plans as choices of a list. */
export const planChoices = planNames.map((plan) => [plan, planTitle(plan)] as const);
