/** The plans of accounts, with their names. */
export const planNames = ['free', 'starter', 'business', 'enterprise'] as const;

/** `Business`; plan names are the same in every language. */
export const planTitle = (plan: string): string => `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;

export const planChoices = planNames.map((plan) => [plan, planTitle(plan)] as const);
