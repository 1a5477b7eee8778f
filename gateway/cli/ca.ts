/** `privet ca show|export`: the root that clients are to trust. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { nearestName } from '../../config/nearest.ts';
import { type Command, UsageError } from './command.ts';

export const ca: Command = {
  usage: 'ca show|export',
  help: 'Show the root certificate, or write it as PEM for the clients to trust.\nThe key never leaves the data folder.',
  options: {
    out: { value: 'FILE', help: 'write to a file (default: standard output)' },
    config: { value: 'FILE', help: 'configuration file (default PROXY_CONFIG)' },
  },
  words: [1, 1],
  async run(args, io) {
    const [action = ''] = args.words;
    if (action !== 'show' && action !== 'export') {
      const near = nearestName(action, ['show', 'export']);
      throw new UsageError(`unknown action "${action}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
    }
    const file = args.get('config');
    const { settings } = loadConfig({ ...(file === undefined ? {} : { file }), env: io.env });
    const { CertificateAuthority } = await import('../../certs/ca.ts');
    const dir = join(settings.dataDir, 'ca');
    const authority = CertificateAuthority.open({ dir, create: false, permittedDomains: null });
    const out = args.get('out');
    if (action === 'show') {
      const rows = [
        ['folder', dir],
        ['sha-256', authority.fingerprint256],
        ['expires', authority.notAfter.toISOString()],
      ];
      io.stdout.write(rows.map(([name = '', text = '']) => `${name.padEnd(10)}${text}\n`).join(''));
    } else if (out === undefined) {
      io.stdout.write(authority.rootPem);
    } else {
      writeFileSync(out, authority.rootPem);
      io.stderr.write(`wrote ${out}, SHA-256 ${authority.fingerprint256}\n`);
    }
    return 0;
  },
};
