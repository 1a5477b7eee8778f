/** The built-in recognizers but the identifiers, which the detector adds; their order has no meaning. */

import { contextRecognizer } from '../context/recognizer.ts';
import type { Recognizer } from '../recognizer.ts';
import { address } from './address.ts';
import { addressEast } from './address-east.ts';
import { addressJp } from './address-jp.ts';
import { apiKey } from './api-key.ts';
import { companyName } from './company-name.ts';
import { connectionString, signedLink } from './connection-string.ts';
import { contextTypes } from './context-types.ts';
import { creditCard } from './credit-card.ts';
import { cryptoAddress } from './crypto-address.ts';
import { email } from './email.ts';
import { formRecognizers } from './form-recognizers.ts';
import { ipAddress } from './ip-address.ts';
import { jwt } from './jwt.ts';
import { macAddress } from './mac-address.ts';
import { mrz } from './mrz.ts';
import { personName } from './person-name.ts';
import { phone } from './phone.ts';
import { privateKey } from './private-key.ts';
import { seedPhrase } from './seed-phrase.ts';
import { sessionToken } from './session-token.ts';
import { spelledEmail } from './spelled-email.ts';
import { username } from './username.ts';

export const recognizers: readonly Recognizer[] = [
  apiKey,
  email,
  spelledEmail,
  creditCard,
  ipAddress,
  phone,
  personName,
  address,
  addressJp,
  addressEast,
  companyName,
  jwt,
  macAddress,
  privateKey,
  connectionString,
  signedLink,
  cryptoAddress,
  seedPhrase,
  sessionToken,
  mrz,
  username,
  ...formRecognizers,
  ...contextTypes.map((type) => contextRecognizer(type)),
];
