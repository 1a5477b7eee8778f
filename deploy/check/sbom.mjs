/**
 * Compares a CycloneDX bill of materials with a folder of packages: `node sbom.mjs sbom.json node_modules`.
 * Every installed package must be listed with its version and license, and every listed package that is not optional
 * must be installed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const [file, folder] = process.argv.slice(2);
const sbom = JSON.parse(readFileSync(file, 'utf8'));
const listed = new Map(
  sbom.components.map((one) => [`${one.group ? `${one.group}/` : ''}${one.name}@${one.version}`, one]),
);
const installed = new Set([...packages(folder)]);
const problems = [
  ...[...installed].filter((name) => !listed.has(name)).map((name) => `${name} is installed but not listed`),
  ...[...listed]
    .filter(([name, one]) => !installed.has(name) && one.scope !== 'optional')
    .map(([name]) => `${name} is listed but not installed`),
  ...[...listed].filter(([, one]) => !one.hashes?.length).map(([name]) => `${name} has no hash`),
  ...[...listed].filter(([, one]) => !one.licenses?.length).map(([name]) => `${name} has no license`),
];
for (const problem of problems) console.error(problem);
console.log(`${listed.size} packages listed, ${installed.size} installed`);
process.exit(problems.length === 0 ? 0 : 1);

function* packages(at) {
  for (const name of readdirSync(at)) {
    if (name.startsWith('.')) continue;
    if (name.startsWith('@')) {
      yield* packages(path.join(at, name));
      continue;
    }
    const manifest = path.join(at, name, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name: own, version } = JSON.parse(readFileSync(manifest, 'utf8'));
    yield `${own}@${version}`;
    if (existsSync(path.join(at, name, 'node_modules'))) yield* packages(path.join(at, name, 'node_modules'));
  }
}
