/** Runs before each test file. Hooks run in reverse order, so what this one removes is not needed any more. */
import { afterAll } from 'vitest';
import { removeFolders } from './temp.ts';

afterAll(removeFolders);
