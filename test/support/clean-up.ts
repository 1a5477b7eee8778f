/** Runs before each test file. Hooks run in reverse order, so what these remove is not needed any more. */
import { afterAll } from 'vitest';
import { closeAll } from './closing.ts';
import { removeFolders } from './temp.ts';

afterAll(removeFolders);
afterAll(closeAll);
