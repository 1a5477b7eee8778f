/** Runs before each test file. Hooks run in reverse order, so nothing still needs what these remove. */
import { afterAll } from 'vitest';
import { reuseKeys } from './authority.ts';
import { closeAll } from './closing.ts';
import { removeFolders } from './temp.ts';

afterAll(reuseKeys);
afterAll(removeFolders);
afterAll(closeAll);
