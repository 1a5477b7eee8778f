/** All built-in recognizers; their order has no meaning. */
import type { Recognizer } from '../recognizer.ts';
import { apiKey } from './api-key.ts';
import { creditCard } from './credit-card.ts';
import { email } from './email.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-address.ts';
import { myNumber } from './my-number.ts';
import { name } from './name.ts';
import { phone } from './phone.ts';
import { ssn } from './ssn.ts';

export const recognizers: readonly Recognizer[] = [
  apiKey,
  email,
  iban,
  creditCard,
  myNumber,
  ssn,
  ipAddress,
  phone,
  name,
];
