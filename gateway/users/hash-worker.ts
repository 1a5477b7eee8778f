/** The worker thread that verifies passwords. */
import { PrivetError } from '../../core/errors.ts';
import { answerJobs } from '../threads/jobs.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** Verifies a password against a stored hash, or creates a new hash. */
export type HashJob = { readonly password: string; readonly stored?: string };

/** True if the password has the hash; or the new hash. */
export type HashAnswer = boolean | string;

const failed = 'The password could not be verified.';

answerJobs(failed, ({ password, stored }: HashJob): HashAnswer => {
  try {
    return stored === undefined ? hashPassword(password) : verifyPassword(password, stored);
  } catch (cause) {
    throw new PrivetError('unavailable', failed, { cause });
  }
});
