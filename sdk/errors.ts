/** The errors of the SDK, for programs that need nothing else. */
export * from '../core/errors.ts';
