/**
 * A certificate authority for the origins of the tests. It can also issue invalid certificates: expired, not yet valid
 * and self-signed ones.
 */
import { constants, generateKeyPairSync, privateEncrypt, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import forge from 'node-forge';
import { tempFolder } from './temp.ts';

/** The key and certificate of a TLS server, both PEM. */
export type ServerCertificate = { readonly cert: string; readonly key: string };

/** Options of {@link TestAuthority.issue}. Dates default to yesterday and in a month. */
export type IssueOptions = {
  readonly names: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly selfSigned?: boolean;
  /** Issues a client certificate: CN and OUs of the subject. */
  readonly person?: { readonly name: string; readonly units?: readonly string[] };
};

const dayMs = 86_400_000;

/** A root that lives as long as the test process. RSA, because node-forge supports no other signatures. */
export class TestAuthority {
  readonly pem: string;
  /** The root as a file, for programs that take a path. */
  readonly file: string;
  readonly #certificate: forge.pki.Certificate;
  readonly #number = authoritiesMade++;
  readonly #keys: Keys;

  constructor(commonName = 'Test Root') {
    this.#keys = rootKeys[this.#number] ??= newKeys();
    this.#certificate = build({
      subject: commonName,
      issuer: commonName,
      publicKey: this.#keys.publicKey,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
        { name: 'subjectKeyIdentifier' },
      ],
    });
    sign(this.#certificate, this.#keys);
    this.pem = forge.pki.certificateToPem(this.#certificate);
    this.file = join(tempFolder('ca'), 'ca.pem');
    writeFileSync(this.file, this.pem);
  }

  /** A server certificate for names and addresses, or a client certificate for a person. */
  issue(options: IssueOptions): ServerCertificate {
    const subject = options.person?.name ?? options.names[0] ?? 'nobody';
    leafKeys[this.#number] ??= newKeys();
    const own = leafKeys[this.#number] as Keys;
    const certificate = build({
      subject,
      units: options.person?.units,
      issuer: options.selfSigned ? subject : this.#certificate.subject.getField('CN').value,
      publicKey: own.publicKey,
      notBefore: options.notBefore,
      notAfter: options.notAfter,
      extensions: [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', ...(options.person ? { clientAuth: true } : { serverAuth: true }) },
        {
          name: 'authorityKeyIdentifier',
          keyIdentifier: this.#certificate.generateSubjectKeyIdentifier().getBytes(),
        },
        ...(options.names.length === 0
          ? []
          : [
              {
                name: 'subjectAltName',
                altNames: options.names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
              },
            ]),
      ],
    });
    sign(certificate, options.selfSigned ? own : this.#keys);
    return { cert: forge.pki.certificateToPem(certificate), key: own.key };
  }
}

/** `key` is PEM. */
type Keys = { readonly publicKey: forge.pki.rsa.PublicKey; readonly key: string };

/** Making keys takes 100 ms and nothing here depends on them being secret: each test file reuses those of the one before. */
const rootKeys: Keys[] = [];
/** One key for all leaves of an authority. */
const leafKeys: Keys[] = [];
let authoritiesMade = 0;

/** Runs after each test file. */
export function reuseKeys(): void {
  authoritiesMade = 0;
}

function newKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { publicKey: forge.pki.publicKeyFromPem(publicKey) as forge.pki.rsa.PublicKey, key: privateKey };
}

/** DER in front of a SHA-256 digest that is signed (RFC 8017 §9.2). */
const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Signs as forge does, which takes 20 ms for it. */
function sign(certificate: forge.pki.Certificate, { key }: Keys): void {
  const signer = {
    sign: (md: forge.md.MessageDigest) =>
      privateEncrypt(
        { key, padding: constants.RSA_PKCS1_PADDING },
        Buffer.concat([digestInfo, Buffer.from(md.digest().getBytes(), 'latin1')]),
      ).toString('latin1'),
  };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
}

function build(options: {
  subject: string;
  units?: readonly string[] | undefined;
  issuer: string;
  publicKey: forge.pki.rsa.PublicKey;
  notBefore?: Date;
  notAfter?: Date;
  extensions: object[];
}): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = options.publicKey;
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = options.notBefore ?? new Date(Date.now() - dayMs);
  certificate.validity.notAfter = options.notAfter ?? new Date(Date.now() + 30 * dayMs);
  const units = (options.units ?? []).map((value) => ({ name: 'organizationalUnitName', value }));
  certificate.setSubject([{ name: 'commonName', value: options.subject }, ...units]);
  certificate.setIssuer([{ name: 'commonName', value: options.issuer }]);
  certificate.setExtensions(options.extensions);
  return certificate;
}

let shared: TestAuthority | undefined;

/** The default authority of origins: one per test file, because its folder is removed with the file. */
export function sharedAuthority(): TestAuthority {
  shared = madeAuthority() ?? new TestAuthority();
  return shared;
}

/** The same if an origin of this file uses it; undefined otherwise. */
export function madeAuthority(): TestAuthority | undefined {
  return shared !== undefined && existsSync(shared.file) ? shared : undefined;
}
