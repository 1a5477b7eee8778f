/** All types that are decided by context. */
import type { ContextType } from '../context/context-type.ts';
import { bankAccount } from './bank-account.ts';
import { dateOfBirth } from './date-of-birth.ts';
import { driverLicense } from './driver-license.ts';
import { healthInsurance } from './health-insurance.ts';
import { oneTimeCode } from './one-time-code.ts';
import { passport } from './passport.ts';
import { password } from './password.ts';
import { pensionNumber } from './pension-number.ts';
import { vehiclePlate } from './vehicle-plate.ts';

export const contextTypes: readonly ContextType[] = [
  bankAccount,
  dateOfBirth,
  driverLicense,
  healthInsurance,
  oneTimeCode,
  passport,
  password,
  pensionNumber,
  vehiclePlate,
];
