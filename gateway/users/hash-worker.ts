/** The thread in which passwords are compared with their hashes. */
import { PrivetError } from '../../core/errors.ts';
import { answerJobs } from '../threads/jobs.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** What the thread is asked: whether a password has a hash, or for a new hash. */
export type HashJob = { readonly password: string; readonly stored?: string };

/** Whether the password has the hash, or the new hash. */
export type HashAnswer = boolean | string;

const failed = 'The password could not be compared.';

answerJobs(failed, ({ password, stored }: HashJob): HashAnswer => {
  try {
    return stored === undefined ? hashPassword(password) : verifyPassword(password, stored);
  } catch (cause) {
    throw new PrivetError('unavailable', failed, { cause });
  }
});
