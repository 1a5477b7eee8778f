/** The types of personal data, for programs that only show or check them. */
export { tokenTypes } from '../core/tokens/token-types.ts';
