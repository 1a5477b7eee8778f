/**
 * The parts shared by all leaves of one key under one issuer, encoded once. Walking the whole tree again is the larger
 * half of a leaf's cost, more than its signature.
 */

import { sign } from 'node:crypto';
import { addressBytes, type Der, encodeBinary, sequence, time, wrapped } from './der.ts';
import type { IssuingCertificate } from './issuing.ts';
import * as x509 from './x509.ts';

/** DER tags (X.690 §8.1.2). */
const [sequenceTag, setTag, integerTag, bitStringTag, octetStringTag, utf8Tag] = [0x30, 0x31, 0x02, 0x03, 0x04, 0x0c];
const extensionsTag = 0xa3;
/** GeneralName (RFC 5280 §4.2.1.6). */
const [dnsNameTag, addressTag] = [0x82, 0x87];
const isCritical = '\x01\x01\xff';

const version = encodeBinary(x509.version3);
const commonNameId = encodeBinary(x509.commonNameId);
const subjectAltNameId = encodeBinary(x509.subjectAltNameId);

/** Creates the leaves of a key under an issuer. */
export class LeafForm {
  readonly key: LeafKey;
  readonly #issuer: IssuingCertificate;
  readonly #algorithm: x509.Algorithm;
  readonly #algorithmId: string;
  readonly #algorithmAndIssuer: string;
  readonly #publicKey: string;
  readonly #keyExtensions: string;
  readonly #issuerExtensions: string;
  #validity = { from: Number.NaN, until: Number.NaN, der: '' };

  constructor(issuer: IssuingCertificate, key: LeafKey) {
    this.key = key;
    this.#issuer = issuer;
    this.#algorithm = x509.algorithmOf(issuer.key);
    this.#algorithmId = encodeBinary(this.#algorithm.identifier);
    this.#algorithmAndIssuer = this.#algorithmId + encodeBinary(issuer.subject);
    this.#publicKey = encodeBinary(key.publicKey);
    this.#keyExtensions = key.extensions.map(encodeBinary).join('');
    this.#issuerExtensions = issuer.leafExtensions.map(encodeBinary).join('');
  }

  /**
   * The certificate for a host as DER in a binary string: one dNSName or one iPAddress, valid between the two times.
   */
  sign(host: string, notBeforeMs: number, notAfterMs: number): string {
    const address = addressBytes(host);
    // A common name has at most 64 characters, and name constraints would treat an address in it as a DNS name.
    const isNamed = address === undefined && host.length <= 64;
    const subject = isNamed ? wrapped(setTag, wrapped(sequenceTag, commonNameId + wrapped(utf8Tag, host))) : '';
    const name =
      address === undefined ? wrapped(dnsNameTag, host) : wrapped(addressTag, Buffer.from(address).toString('latin1'));
    // RFC 5280 §4.2.1.6: critical when the subject is empty.
    const names = wrapped(
      sequenceTag,
      subjectAltNameId + (isNamed ? '' : isCritical) + wrapped(octetStringTag, wrapped(sequenceTag, name)),
    );
    const body = wrapped(
      sequenceTag,
      version +
        wrapped(integerTag, x509.serialNumber()) +
        this.#algorithmAndIssuer +
        this.#validityOf(notBeforeMs, notAfterMs) +
        wrapped(sequenceTag, subject) +
        this.#publicKey +
        wrapped(extensionsTag, wrapped(sequenceTag, this.#keyExtensions + names + this.#issuerExtensions)),
    );
    const signature = sign(this.#algorithm.digest, Buffer.from(body, 'latin1'), this.#issuer.key);
    const bits = wrapped(bitStringTag, `\0${signature.toString('latin1')}`);
    return wrapped(sequenceTag, body + this.#algorithmId + bits);
  }

  /** The same for all leaves created within a second. */
  #validityOf(notBeforeMs: number, notAfterMs: number): string {
    const from = Math.floor(notBeforeMs / 1_000);
    const until = Math.floor(notAfterMs / 1_000);
    if (this.#validity.from !== from || this.#validity.until !== until) {
      this.#validity = {
        from,
        until,
        der: encodeBinary(sequence(time(new Date(notBeforeMs)), time(new Date(notAfterMs)))),
      };
    }
    return this.#validity.der;
  }
}

/** A key pair for leaves, with the certificate parts that depend only on it. */
export type LeafKey = {
  readonly privatePem: string;
  readonly publicKey: Der;
  /** basicConstraints, key usages and subjectKeyIdentifier: the same in all leaves of the key. */
  readonly extensions: readonly Der[];
};
