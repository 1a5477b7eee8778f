import { describe, expect, test } from 'vitest';
import { errorCodes, PrivetError } from '../../core/errors.ts';

describe('errors', () => {
  test.each(Object.entries(errorCodes))('%s', (code, { status, hint }) => {
    const error = new PrivetError(code as keyof typeof errorCodes, 'what');
    expect(error).toMatchObject({ name: 'PrivetError', code, status, hint, message: 'what', details: undefined });
    expect(error).toBeInstanceOf(Error);
    expect(Object.hasOwn(error, 'cause')).toBe(false);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    // A sentence that says what to do.
    expect(hint).toMatch(/^[A-Z].*\.$/);
  });

  test('given values override the table', () => {
    const cause = new Error('why');
    const error = new PrivetError('internal', 'what', { hint: 'Do this.', details: { a: 1 }, cause });
    expect(error).toMatchObject({ hint: 'Do this.', details: { a: 1 }, cause, status: 500 });
  });
});
