/** A process that starts in a data folder at an agreed moment, like replicas with one volume; run with `node`. */
import { CertificateAuthority } from '../../certs/ca.ts';
import { openAdminKey } from '../../gateway/stores/admin-key.ts';

const [dataDir = '', at = '', task = 'start'] = process.argv.slice(2);
// Busy-wait for the last moment, so that all start together.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, Number(at) - Date.now() - 20));
while (Date.now() < Number(at));
const open = () => CertificateAuthority.open({ dir: `${dataDir}/ca`, permittedDomains: null });
const said =
  task === 'rotate'
    ? { next: open().rotate(new Date(Date.now() + 86_400_000)).root.fingerprint256 }
    : { key: openAdminKey({ dataDir }).create() ?? null, root: open().fingerprint256 };
process.stdout.write(JSON.stringify(said));
