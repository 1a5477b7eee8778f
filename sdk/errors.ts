/** The errors of the SDK, for programs that need nothing else of it. */
export * from '../core/errors.ts';
