/** The gateway's trust anchors for upstream TLS, and its client certificates. */
import tls from 'node:tls';
import { readableCertificatesOf, systemRoots } from '../../../certs/formats.ts';
import type { KeyPath } from '../../../config/document.ts';
import { type Fault, faultText } from '../../../config/fault.ts';
import { bytesOf } from '../../../config/problem.ts';
import { PrivetError } from '../../../core/errors.ts';

/** A certificate for a host and its subdomains; the key's passphrase is in the environment. */
export type ClientCertificate = {
  readonly host: string;
  readonly cert_file: string;
  readonly key_file: string;
  readonly passphrase_env?: string | undefined;
};

/** The certificate settings of `upstream`. `env` contains the passphrases. */
export type UpstreamFiles = {
  readonly caFile: string | null;
  readonly clientCertificates: readonly ClientCertificate[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Trust anchors and client certificates, read once; prepared for the first connection, which takes 40 ms. */
export class UpstreamTls {
  readonly #roots: readonly string[];
  readonly #identities: ReadonlyMap<string, Identity>;
  readonly #contexts = new Map<string, tls.SecureContext>();
  #context: tls.SecureContext | undefined;

  /** Throws PrivetError if a file cannot be read or used. */
  constructor(files: UpstreamFiles) {
    const { roots, identities, faults } = read(files);
    const [fault] = faults;
    if (fault !== undefined)
      throw new PrivetError('unavailable', `${faultText(fault)}.`, { hint: 'Check the files that upstream names.' });
    this.#roots = roots;
    this.#identities = new Map(identities.map((identity) => [identity.host.toLowerCase(), identity]));
  }

  /** For hosts without a client certificate. */
  get context(): tls.SecureContext {
    this.#context ??= this.#newContext();
    return this.#context;
  }

  /** The settings for a host; the most specific entry wins. */
  contextFor(host: string): tls.SecureContext {
    if (this.#identities.size === 0) return this.context;
    for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
      const identity = this.#identities.get(name);
      if (identity) return this.#contextOf(name, identity);
      if (!name.includes('.')) return this.context;
    }
  }

  #contextOf(name: string, { cert, key, passphrase }: Identity): tls.SecureContext {
    const context = this.#contexts.get(name) ?? this.#newContext({ cert, key, passphrase });
    this.#contexts.set(name, context);
    return context;
  }

  #newContext(identity: tls.SecureContextOptions = {}): tls.SecureContext {
    const all = [...tls.rootCertificates, ...systemRoots(), ...this.#roots];
    // Most of Node's roots are also the machine's, with other line lengths.
    const ca = new Map(all.map((pem) => [pem.replace(/\s/g, ''), pem]));
    return tls.createSecureContext({ ca: [...ca.values()], ...identity, minVersion: 'TLSv1.2' });
  }
}

/** All errors in the files; the constructor of {@link UpstreamTls} throws the first. */
export function upstreamFaults(files: UpstreamFiles): readonly Fault[] {
  return read(files).faults;
}

/** The certificate presented to a host. */
type Identity = {
  readonly host: string;
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly passphrase: string | undefined;
};

/** `roots` are those of `upstream.ca_file`. */
function read({ caFile, clientCertificates, env }: UpstreamFiles) {
  const faults: Fault[] = [];
  const report = (path: KeyPath, message: string) => void faults.push({ path: ['upstream', ...path], message });
  const bytesAt = (path: KeyPath, file: string): Buffer | undefined => {
    const bytes = bytesOf(file);
    return typeof bytes === 'string' ? report(path, bytes) : bytes;
  };
  const identities = clientCertificates.flatMap((certificate, i): Identity[] => {
    const { host, passphrase_env: variable } = certificate;
    const at = ['client_certs', i];
    const passphrase = variable === undefined ? undefined : env[variable];
    const isOpen = variable === undefined || passphrase !== undefined;
    if (!isOpen) report([...at, 'passphrase_env'], `the environment has no ${variable}`);
    const cert = bytesAt([...at, 'cert_file'], certificate.cert_file);
    const key = bytesAt([...at, 'key_file'], certificate.key_file);
    if (!isOpen || cert === undefined || key === undefined) return [];
    try {
      tls.createSecureContext({ cert, key, passphrase });
    } catch {
      const causes = 'it is damaged, the key does not match, or the passphrase is wrong';
      report(at, `the certificate for ${host} cannot be used: ${causes}`);
      return [];
    }
    return [{ host, cert, key, passphrase }];
  });
  const roots = caFile === null ? [] : rootsOf(bytesAt(['ca_file'], caFile));
  if (typeof roots === 'string') report(['ca_file'], `${caFile} ${roots}`);
  return { roots: typeof roots === 'string' ? [] : roots, identities, faults };
}

/** The certificates of a file, or its fault. */
function rootsOf(bytes: Buffer | undefined): string[] | string {
  if (bytes === undefined) return [];
  try {
    const roots = readableCertificatesOf(bytes.toString('utf8'));
    return roots.length === 0 ? 'contains no PEM certificate' : roots;
  } catch {
    return 'contains a damaged certificate';
  }
}
