/**
 * Asks the registry for known advisories about production packages: `node deploy/audit.mjs`. Needs the lock file and the
 * network.
 *
 * Exit code 0: no advisories. 1: some, which it prints. 2: the audit failed, which does not count as success: mirrors and
 * caches of the registry often do not support audits, and `npm audit` then exits with 1, as for an advisory.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'privet-audit-'));
for (const name of ['package.json', 'package-lock.json'])
  copyFileSync(path.join(project, name), path.join(folder, name));
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--package-lock-only', '--json'], {
  cwd: folder,
  encoding: 'utf8',
});
rmSync(folder, { recursive: true, force: true });

const report = answer(stdout);
if (report.metadata === undefined) {
  console.error(`Advisories were not checked: ${report.message ?? report.error?.summary ?? 'no answer from npm'}`);
  process.exit(2);
}
const found = Object.values(report.vulnerabilities);
for (const { name, severity, range, via } of found) {
  const titles = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`));
  console.error(`${severity}: ${name} ${range}: ${titles.join('; ')}`);
}
console.log(`${report.metadata.dependencies.prod} production packages, ${found.length} with known advisories`);
process.exit(found.length === 0 ? 0 : 1);

/** What npm printed; an empty object when that is no JSON. */
function answer(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
