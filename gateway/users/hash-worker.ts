/** The thread in which passwords are compared with their hashes. */
import { parentPort } from 'node:worker_threads';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** What the thread is asked: whether a password has a hash, or for a new hash. */
export type HashJob = { readonly password: string; readonly stored?: string };

/** What it answers. */
export type HashAnswer = { readonly matches?: boolean; readonly made?: string; readonly failed?: true };

parentPort?.on('message', ({ password, stored }: HashJob) => {
  let answer: HashAnswer;
  try {
    answer = stored === undefined ? { made: hashPassword(password) } : { matches: verifyPassword(password, stored) };
  } catch {
    answer = { failed: true };
  }
  parentPort?.postMessage(answer);
});
