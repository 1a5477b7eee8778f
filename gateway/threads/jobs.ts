/** The side of a thread: it answers the jobs of a pool. */
import { parentPort } from 'node:worker_threads';
import { PrivetError } from '../../core/errors.ts';

/** The answer as it is posted: a result, or the fields of a PrivetError. */
export type JobAnswer<R> =
  | { readonly result: R }
  | { readonly error: { readonly code: PrivetError['code']; readonly message: string; readonly hint: string } };

/** Answers every job with what `run` gives; an unknown error becomes `invalid_input` with the sentence `failed`. */
export function answerJobs<J, R>(failed: string, run: (job: J) => R | Promise<R>): void {
  parentPort?.on('message', async (job: J) => {
    let answer: JobAnswer<R>;
    try {
      answer = { result: await run(job) };
    } catch (error) {
      const { code, message, hint } = error instanceof PrivetError ? error : new PrivetError('invalid_input', failed);
      answer = { error: { code, message, hint } };
    }
    parentPort?.postMessage(answer);
  });
}
