/**
 * The parts of undici that the gateway uses, each from its own file: the package's entry also loads its fetch, mocks and
 * caches, 30 ms of every start. The package promises nothing about its files, so package.json accepts only its patches.
 */
import { createRequire } from 'node:module';
import type undici from 'undici';

const load = createRequire(import.meta.url);

export const Agent = load('undici/lib/dispatcher/agent.js') as typeof undici.Agent;
export const buildConnector = load('undici/lib/core/connect.js') as typeof undici.buildConnector;
