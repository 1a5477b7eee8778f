/**
 * Exports the roots in the formats that trust stores accept: PEM, DER, PKCS #7, an Apple profile, a bundle with the
 * public roots.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { getCACertificates, rootCertificates } from 'node:tls';
import type { Root } from './root.ts';
import { certificateBundle } from './x509.ts';

/** The fields of a root that the formats need. */
export type PublishedRoot = Pick<Root, 'pem' | 'der' | 'fingerprint256' | 'commonName' | 'notAfter'>;

/** All roots as concatenated PEM, each preceded by its name and fingerprint. */
export function pemBundle(roots: readonly PublishedRoot[]): string {
  return roots
    .map(({ commonName, fingerprint256, pem }) => `# ${commonName}\n# SHA-256 ${fingerprint256}\n${pem}`)
    .join('');
}

/** All roots as PKCS #7 (`.p7b`), DER. */
export function pkcs7(roots: readonly PublishedRoot[]): Buffer {
  return certificateBundle(roots.map(({ der }) => der));
}

/**
 * Our roots, the system's roots and Mozilla's (shipped with Node), for programs that take one file instead of their own
 * list. `extra` is more PEM. About 250 KiB.
 */
export function fullBundle(roots: readonly PublishedRoot[], extra = ''): string {
  const ours = new Set(roots.map(({ pem }) => body(pem)));
  const seen = new Set<string>();
  const others = [...systemRoots(), ...rootCertificates, ...certificatesOf(extra)].filter((pem) => {
    const key = body(pem);
    if (seen.has(key) || ours.has(key)) return false;
    seen.add(key);
    return true;
  });
  return `${pemBundle(roots)}# Public roots\n${others.map((pem) => `${pem.trim()}\n`).join('')}`;
}

/** The PEM certificates in a text. */
export function certificatesOf(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

/**
 * Like {@link certificatesOf}, but throws OpenSSL's error when a certificate cannot be read; Node's TLS contexts ignore
 * such certificates silently.
 */
export function readableCertificatesOf(text: string): string[] {
  const pems = certificatesOf(text);
  for (const pem of pems) new X509Certificate(pem);
  return pems;
}

/** The roots in a PEM text, ready for export. Throws OpenSSL's error when one cannot be read. */
export function publishedFrom(text: string): PublishedRoot[] {
  return certificatesOf(text).map((pem) => {
    const { raw, fingerprint256, subject, validToDate } = new X509Certificate(pem);
    const commonName = /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
    return { pem: `${pem}\n`, der: raw, fingerprint256, commonName, notAfter: validToDate };
  });
}

function body(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s|^#.*$/gm, '');
}

/** The roots of the machine; none where they cannot be read. */
export function systemRoots(): readonly string[] {
  try {
    return getCACertificates('system');
  } catch {
    return [];
  }
}

/**
 * A configuration profile for Apple devices with one certificate payload per root (Apple: Configuration Profile
 * Reference, com.apple.security.root). Identifiers are derived from the fingerprints, so installing again replaces the
 * earlier profile.
 */
export function appleProfile(roots: readonly PublishedRoot[]): string {
  const payloads = roots.map(
    ({ commonName, fingerprint256, der }) => `    <dict>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>privet.root.${shortId(fingerprint256)}</string>
      <key>PayloadUUID</key><string>${uuidOf(`root ${fingerprint256}`)}</string>
      <key>PayloadDisplayName</key><string>${escapeXml(commonName)}</string>
      <key>PayloadDescription</key><string>Lets this device verify the connections that the Privet gateway protects.</string>
      <key>PayloadCertificateFileName</key><string>privet-${shortId(fingerprint256)}.cer</string>
      <key>PayloadContent</key>
      <data>
${Buffer.from(der)
  .toString('base64')
  .replace(/(.{64})/g, '$1\n')
  .trimEnd()}
      </data>
    </dict>`,
  );
  const all = roots.map(({ fingerprint256 }) => fingerprint256).join(' ');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadIdentifier</key><string>privet.roots</string>
  <key>PayloadUUID</key><string>${uuidOf(`profile ${all}`)}</string>
  <key>PayloadDisplayName</key><string>Privet gateway</string>
  <key>PayloadDescription</key><string>The root certificate of your organisation's Privet gateway.</string>
  <key>PayloadOrganization</key><string>Privet</string>
  <key>PayloadRemovalDisallowed</key><false/>
  <key>PayloadContent</key>
  <array>
${payloads.join('\n')}
  </array>
</dict>
</plist>
`;
}

function shortId(fingerprint256: string): string {
  return fingerprint256.replaceAll(':', '').slice(0, 16).toLowerCase();
}

/** A version 8 UUID (RFC 9562 §5.8) derived from a text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(`privet ${text}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] as string);
}
