/**
 * Writes the bill of materials (CycloneDX) of the production packages: `node deploy/sbom.mjs > privet.cdx.json`. Needs no
 * network.
 *
 * `npm sbom --omit=dev` leaves out packages that are also development dependencies (zod, undici … with npm 11), so
 * remove development packages first. It also mistakes an alias for the name of a package.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'privet-sbom-'));
const npm = (...args) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
try {
  const { devDependencies: _development, ...manifest } = JSON.parse(
    readFileSync(path.join(project, 'package.json'), 'utf8'),
  );
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  copyFileSync(path.join(project, 'package-lock.json'), path.join(folder, 'package-lock.json'));
  npm('install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund');
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const bill = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'));
  bill.metadata.component.name = manifest.name;
  for (const component of bill.components) {
    component.name = packages[`node_modules/${component.name}`]?.name ?? component.name;
  }
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
