/**
 * Generates the Python client from the API reference.
 *
 *   curl -s http://127.0.0.1:3001/openapi.json | node scripts/python-client.ts FOLDER
 */
import { readFileSync } from 'node:fs';
import { writePythonClient } from './python/generate.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the client');
writePythonClient(JSON.parse(readFileSync(0, 'utf8')), folder);
