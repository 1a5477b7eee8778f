/** The worker side of a thread pool. */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { isMainThread, parentPort } from 'node:worker_threads';
import { PrivetError } from '../../core/errors.ts';

/** An error as posted between threads. */
export type PostedError = {
  readonly code: PrivetError['code'];
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
};

/** The posted result, or a question for the pool's thread. */
export type JobAnswer<R> = { readonly result: R } | { readonly question: unknown } | { readonly error: PostedError };

/** A message to a thread: a job, or the answer to its question. */
export type JobMessage<J> = { readonly job: J } | { readonly answer: unknown } | { readonly refusal: PostedError };

/** Asks the pool's thread, one question at a time. Rejects with the error that it throws. */
export type Ask = (question: unknown) => Promise<unknown>;

/** Added niceness of worker threads: next to a busy thread of normal priority they get a quarter of the core. */
const workerNiceness = 5;

/**
 * Gives the main thread, which serves all clients, precedence on busy cores. Linux accepts a priority for a single
 * thread (setpriority(2), "C library/kernel differences"); elsewhere the priority stays.
 */
function yieldToMainThread(): void {
  if (isMainThread) return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.min(19, getPriority() + workerNiceness));
  } catch {
    // No /proc, or no permission to change the priority.
  }
}

/**
 * Answers every job with the result of `run`; an unknown error becomes `invalid_input` with the message `failed`.
 * Buffers in the result are transferred, so that the main thread need not copy them.
 */
export function answerJobs<J, R>(failed: string, run: (job: J, ask: Ask) => R | Promise<R>): void {
  yieldToMainThread();
  let pending: { done(answer: unknown): void; fail(error: PrivetError): void } | undefined;
  const ask: Ask = (question) =>
    new Promise((done, fail) => {
      pending = { done, fail };
      parentPort?.postMessage({ question } satisfies JobAnswer<R>);
    });
  parentPort?.on('message', async (message: JobMessage<J>) => {
    if ('answer' in message) return pending?.done(message.answer);
    if ('refusal' in message) return pending?.fail(privetError(message.refusal));
    let answer: JobAnswer<R>;
    try {
      answer = { result: await run(message.job, ask) };
    } catch (error) {
      answer = { error: postedError(error, failed) };
    }
    parentPort?.postMessage(answer, 'result' in answer ? ownBuffers(answer.result) : []);
  });
}

/** The buffers in a result's fields, except slices of larger ones. */
function ownBuffers(result: unknown): ArrayBuffer[] {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return [];
  return Object.values(result).flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
      ? [value.buffer]
      : [],
  );
}

/** Converts an error for posting. */
export function postedError(error: unknown, failed: string): PostedError {
  const { code, message, hint, details } =
    error instanceof PrivetError ? error : new PrivetError('invalid_input', failed);
  return { code, message, hint, ...(details === undefined ? {} : { details }) };
}

/** Restores a posted error. */
export function privetError({ code, message, hint, details }: PostedError): PrivetError {
  return new PrivetError(code, message, { hint, ...(details === undefined ? {} : { details }) });
}
