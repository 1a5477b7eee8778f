/** Garbage collection on demand, for tests of what stays in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all garbage now. */
export const collectGarbage = runInNewContext('gc') as () => void;
// Under other flags V8 rejects the stored compiled sources of every module that this process loads later.
setFlagsFromString('--no-expose-gc');
