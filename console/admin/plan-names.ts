/** The plans of a license. */

export const planNames = ['free', 'starter', 'business', 'enterprise'] as const;
