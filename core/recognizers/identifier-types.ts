/** All types of {@link IdentifierType}: those of countries, and those that belong to none. */
import { nationalIdentifiers } from './countries/index.ts';
import { deviceIdentifiers } from './devices.ts';
import { documentIdentifiers } from './documents.ts';
import type { IdentifierType } from './identifier.ts';
import { paymentIdentifiers } from './payments.ts';
import { labelledFacts } from './people.ts';
import { phoneNumbers } from './phones.ts';

export const identifierTypes: readonly IdentifierType[] = [
  ...nationalIdentifiers,
  ...labelledFacts,
  ...phoneNumbers,
  ...documentIdentifiers,
  ...deviceIdentifiers,
  ...paymentIdentifiers,
];
