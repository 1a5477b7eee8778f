/** Whom the gateway trusts upstream, and the certificates it shows to hosts that ask for one. */
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { readableCertificatesOf } from '../../certs/formats.ts';
import { PrivetError } from '../../core/errors.ts';

/** A certificate for a host and those below it; the passphrase of the key stands in the environment. */
export type ClientCertificate = {
  readonly host: string;
  readonly cert_file: string;
  readonly key_file: string;
  readonly passphrase_env?: string | undefined;
};

/** Trust anchors and client certificates, read once. */
export class UpstreamTls {
  /** For hosts without a client certificate. */
  readonly context: tls.SecureContext;
  private readonly contexts = new Map<string, tls.SecureContext>();

  /** Throws PrivetError when a file cannot be read or used. */
  constructor(options: {
    readonly caFile: string | null;
    readonly clientCertificates: readonly ClientCertificate[];
    readonly env: Readonly<Record<string, string | undefined>>;
  }) {
    const ca = trustAnchors(options.caFile);
    this.context = tls.createSecureContext({ ca, minVersion: 'TLSv1.2' });
    for (const certificate of options.clientCertificates) {
      const { host, passphrase_env: variable } = certificate;
      const passphrase = variable === undefined ? undefined : options.env[variable];
      if (variable !== undefined && passphrase === undefined)
        throw new PrivetError('unavailable', `upstream.client_certs: the environment has no ${variable}.`);
      const cert = read('cert_file', certificate.cert_file);
      const key = read('key_file', certificate.key_file);
      const secret = passphrase === undefined ? {} : { passphrase };
      try {
        this.contexts.set(
          host.toLowerCase(),
          tls.createSecureContext({ ca, cert, key, ...secret, minVersion: 'TLSv1.2' }),
        );
      } catch (cause) {
        throw new PrivetError(
          'unavailable',
          `upstream.client_certs: the certificate for ${host} cannot be used: it is damaged, its key is another one, or the passphrase is wrong.`,
          { cause },
        );
      }
    }
  }

  /** The settings for a host; the entry that names it most closely counts. */
  contextFor(host: string): tls.SecureContext {
    if (this.contexts.size === 0) return this.context;
    for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
      const found = this.contexts.get(name);
      if (found) return found;
      if (!name.includes('.')) return this.context;
    }
  }
}

function read(key: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new PrivetError('unavailable', `upstream.client_certs: ${key} cannot be read: ${file}`, { cause });
  }
}

/** System roots, Mozilla's roots and the roots of `upstream.ca_file`. */
function trustAnchors(caFile: string | null): string[] {
  const roots = new Set(tls.rootCertificates);
  for (const pem of tls.getCACertificates('system')) roots.add(pem);
  if (caFile !== null) {
    let extra: string;
    try {
      extra = readFileSync(caFile, 'utf8');
    } catch (cause) {
      throw badCaFile(`cannot be read: ${caFile}`, cause);
    }
    let own: string[];
    try {
      own = readableCertificatesOf(extra);
    } catch (cause) {
      throw badCaFile(`holds a damaged certificate: ${caFile}`, cause);
    }
    if (own.length === 0) throw badCaFile(`holds no PEM certificate: ${caFile}`);
    for (const pem of own) roots.add(pem);
  }
  return [...roots];
}

function badCaFile(what: string, cause?: unknown): PrivetError {
  return new PrivetError('internal', `upstream.ca_file ${what}.`, { hint: 'Check upstream.ca_file.', cause });
}
