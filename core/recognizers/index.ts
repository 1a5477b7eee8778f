/** All built-in recognizers; their order has no meaning. */

import type { Recognizer } from '../recognizer.ts';
import { address } from './address.ts';
import { addressJp } from './address-jp.ts';
import { addressWorld } from './address-world.ts';
import { apiKey } from './api-key.ts';
import { bankAccount } from './bank-account.ts';
import { companyName } from './company-name.ts';
import { connectionString, signedLink } from './connection-string.ts';
import { creditCard } from './credit-card.ts';
import { cryptoAddress } from './crypto-address.ts';
import { dateOfBirth } from './date-of-birth.ts';
import { driverLicense } from './driver-license.ts';
import { email } from './email.ts';
import { healthInsurance } from './health-insurance.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-address.ts';
import { jwt } from './jwt.ts';
import { macAddress } from './mac-address.ts';
import { mrz } from './mrz.ts';
import { myNumber } from './my-number.ts';
import { passport } from './passport.ts';
import { password } from './password.ts';
import { pensionNumber } from './pension-number.ts';
import { personName } from './person-name.ts';
import { phone } from './phone.ts';
import { privateKey } from './private-key.ts';
import { residenceCard } from './residence-card.ts';
import { seedPhrase } from './seed-phrase.ts';
import { sessionToken } from './session-token.ts';
import { ssn } from './ssn.ts';
import { swiftBic } from './swift-bic.ts';
import { taxId } from './tax-id.ts';
import { username } from './username.ts';
import { vehiclePlate } from './vehicle-plate.ts';

export const recognizers: readonly Recognizer[] = [
  apiKey,
  email,
  iban,
  creditCard,
  myNumber,
  ssn,
  ipAddress,
  phone,
  personName,
  address,
  addressJp,
  addressWorld,
  companyName,
  bankAccount,
  dateOfBirth,
  driverLicense,
  healthInsurance,
  jwt,
  macAddress,
  passport,
  password,
  pensionNumber,
  privateKey,
  residenceCard,
  taxId,
  vehiclePlate,
  connectionString,
  signedLink,
  cryptoAddress,
  seedPhrase,
  sessionToken,
  mrz,
  swiftBic,
  username,
];
