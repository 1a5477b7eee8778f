/** Compiles the built-in registry to JSON, which loads in a millisecond: `npm run compile:registry`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { builtinServicesFile, parseServices } from '../config/services.ts';

const { problems, services = [] } = parseServices(readFileSync(builtinServicesFile, 'utf8'), builtinServicesFile);
for (const { line, key, message } of problems) console.error(`${builtinServicesFile}:${line} ${key}: ${message}`);
if (problems.length > 0) process.exit(1);
// One service per line, so that diffs are readable.
const lines = services.map((service) => JSON.stringify(service));
writeFileSync(builtinServicesFile.replace(/yaml$/, 'json'), `[\n${lines.join(',\n')}\n]\n`);
console.log(`${services.length} services`);
