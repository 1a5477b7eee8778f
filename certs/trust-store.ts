/**
 * A Java trust store in JKS format, which every Java version reads (`sun.security.provider.JavaKeyStore`). It needs no
 * cryptography for certificates, while the PKCS #12 form needs Oracle's own attributes.
 */
import { createHash, X509Certificate } from 'node:crypto';

/** Builds the store of trusted certificates (PEM). The password only protects against accidental changes. */
export function trustStore(certificates: readonly string[], password: string, now = new Date()): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32BE(0xfeedfeed, 0);
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(certificates.length, 8);
  const time = Buffer.alloc(8);
  time.writeBigInt64BE(BigInt(now.getTime()));
  const entries = certificates.flatMap((pem, i) => {
    const { raw } = new X509Certificate(pem);
    const tag = Buffer.from([0, 0, 0, 2]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(raw.length);
    return [tag, modifiedUtf8(`privet-${i}`), time, modifiedUtf8('X.509'), length, raw];
  });
  const body = Buffer.concat([head, ...entries]);
  const digest = createHash('sha1')
    .update(Buffer.from(password, 'utf16le').swap16())
    .update('Mighty Aphrodite')
    .update(body)
    .digest();
  return Buffer.concat([body, digest]);
}

/** ASCII preceded by its length, as `DataOutput.writeUTF` writes it. */
function modifiedUtf8(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([length, Buffer.from(text, 'ascii')]);
}
