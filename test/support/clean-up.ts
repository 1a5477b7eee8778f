/** Runs before each test file. Hooks run in reverse order, so nothing needs what these remove any more. */
import { afterAll } from 'vitest';
import { reuseKeys } from './authority.ts';
import { closeAll } from './closing.ts';
import { removeFolders } from './temp.ts';

afterAll(reuseKeys);
afterAll(removeFolders);
afterAll(closeAll);
