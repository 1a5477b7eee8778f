import type { FuzzTarget } from '../target.ts';

const empty: FuzzTarget = { seeds: () => [''], run: () => undefined };
export const http1 = empty;
export const intercepted = empty;
export const http2 = empty;
export const tls = empty;
export const answer = empty;
