/**
 * The generators of TypeScript clients that people use. They only work with TypeScript 5, so they are not dependencies
 * of the project.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fetchedFolder, fetchPackages } from '../support/fetched.ts';

const folder = fetchedFolder('generators');
const packages = ['openapi-typescript@7', 'openapi-fetch@0', '@hey-api/openapi-ts@0', 'typescript@5'];

/** The folder of their packages; undefined when they are not installed. */
export const generators: string | undefined = existsSync(join(folder, 'node_modules/.bin/openapi-ts'))
  ? folder
  : undefined;

/**
 * Fetches the generators if they are missing and the registry can be reached.
 * @returns why they are still missing, as a sentence; undefined when they are there
 */
export function fetchGenerators(): string | undefined {
  const problem = generators === undefined ? fetchPackages('generators', packages) : undefined;
  return problem && `Generated TypeScript clients are not tested, because npm cannot fetch the generators:\n${problem}`;
}
