/** The side of a thread: it answers the jobs of a pool. */
import { parentPort } from 'node:worker_threads';
import { PrivetError } from '../../core/errors.ts';

/** What is posted for an error: the fields of a PrivetError. */
export type PostedError = {
  readonly code: PrivetError['code'];
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
};

/** The answer as it is posted, or a question that the other side answers first. */
export type JobAnswer<R> = { readonly result: R } | { readonly question: unknown } | { readonly error: PostedError };

/** What is posted to a thread: a job, or the answer to its question. */
export type JobMessage<J> = { readonly job: J } | { readonly answer: unknown } | { readonly refusal: PostedError };

/** Asks the side that gave the job; one question at a time. Rejects with what it throws. */
export type Ask = (question: unknown) => Promise<unknown>;

/** Answers every job with what `run` gives; an unknown error becomes `invalid_input` with the sentence `failed`. */
export function answerJobs<J, R>(failed: string, run: (job: J, ask: Ask) => R | Promise<R>): void {
  let asked: { done(answer: unknown): void; fail(error: PrivetError): void } | undefined;
  const ask: Ask = (question) =>
    new Promise((done, fail) => {
      asked = { done, fail };
      parentPort?.postMessage({ question } satisfies JobAnswer<R>);
    });
  parentPort?.on('message', async (message: JobMessage<J>) => {
    if ('answer' in message) return asked?.done(message.answer);
    if ('refusal' in message) return asked?.fail(privetError(message.refusal));
    let answer: JobAnswer<R>;
    try {
      answer = { result: await run(message.job, ask) };
    } catch (error) {
      answer = { error: postedError(error, failed) };
    }
    parentPort?.postMessage(answer);
  });
}

/** An error in the form in which it is posted. */
export function postedError(error: unknown, failed: string): PostedError {
  const { code, message, hint, details } =
    error instanceof PrivetError ? error : new PrivetError('invalid_input', failed);
  return { code, message, hint, ...(details === undefined ? {} : { details }) };
}

/** The error that was posted. */
export function privetError({ code, message, hint, details }: PostedError): PrivetError {
  return new PrivetError(code, message, { hint, ...(details === undefined ? {} : { details }) });
}
