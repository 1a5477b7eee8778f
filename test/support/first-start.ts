/** A process that begins in a data folder at an agreed moment, as replicas of one volume do; run with `node`. */
import { CertificateAuthority } from '../../certs/ca.ts';
import { openAdminKey } from '../../gateway/stores/admin-key.ts';

const [dataDir = '', at = '', task = 'start'] = process.argv.slice(2);
// The last moment is waited for awake, so that all begin together.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(0, Number(at) - Date.now() - 20));
while (Date.now() < Number(at));
const open = () => CertificateAuthority.open({ dir: `${dataDir}/ca`, permittedDomains: null });
const said =
  task === 'rotate'
    ? { next: open().rotate(new Date(Date.now() + 86_400_000)).root.fingerprint256 }
    : { key: openAdminKey({ dataDir }).create() ?? null, root: open().fingerprint256 };
process.stdout.write(JSON.stringify(said));
