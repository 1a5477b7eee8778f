/** Runs before each test file. Hooks run in reverse order, so what these remove is not needed any more. */
import { afterAll } from 'vitest';
import { reuseKeys } from './authority.ts';
import { closeAll } from './closing.ts';
import { removeFolders } from './temp.ts';

afterAll(reuseKeys);
afterAll(removeFolders);
afterAll(closeAll);
