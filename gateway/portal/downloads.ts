/** The root certificate in every common format, and the revocation lists. Nothing here is secret. */
import type { CertificateAuthority } from '../../certs/ca.ts';
import { appleProfile, fullBundle, pemBundle, pkcs7 } from '../../certs/formats.ts';
import type { PortalAnswer } from './page.ts';

type Authority = Pick<CertificateAuthority, 'root' | 'next' | 'published' | 'revocationList'>;

/** An offered format. */
export type DownloadFormat = {
  readonly format: 'pem' | 'der' | 'p7b' | 'mobileconfig' | 'bundle';
  readonly path: string;
  readonly type: string;
  /** Where it is used. */
  readonly systems: string;
};

/** The formats in display order. */
export const formats: readonly DownloadFormat[] = [
  { format: 'pem', path: '/ca.pem', type: 'application/x-pem-file', systems: 'Linux, Node.js, curl, Git' },
  { format: 'der', path: '/ca.crt', type: 'application/x-x509-ca-cert', systems: 'Windows, Android, Firefox' },
  { format: 'p7b', path: '/ca.p7b', type: 'application/x-pkcs7-certificates', systems: 'Windows, Java' },
  {
    format: 'mobileconfig',
    path: '/ca.mobileconfig',
    type: 'application/x-apple-aspen-config',
    systems: 'macOS, iOS, iPadOS',
  },
  {
    format: 'bundle',
    path: '/ca-bundle.pem',
    type: 'application/x-pem-file',
    systems: 'Python, Go, Rust, AWS',
  },
];

/** Other paths for the DER format. */
const derPaths = new Set(['/ca.crt', '/ca.cer', '/ca.der']);

/** Serves the downloads; the full bundle is built once per set of roots. */
export class Downloads {
  readonly #ca: Authority;
  /** PEM of further CAs trusted for upstream connections. */
  readonly #extraPem: () => string;
  #bundle: { readonly key: string; readonly text: string } | undefined;

  constructor(ca: Authority, extraPem: () => string) {
    this.#ca = ca;
    this.#extraPem = extraPem;
  }

  /** The response for a path; undefined if it is not a download. */
  answer(path: string): PortalAnswer | undefined {
    const { published, root, next } = this.#ca;
    if (derPaths.has(path)) return file('application/x-x509-ca-cert', `privet-${path.slice(1)}`, Buffer.from(root.der));
    switch (path) {
      case '/ca.pem':
        return file('application/x-pem-file', 'privet-ca.pem', pemBundle(published));
      case '/ca-next.crt':
        return next && file('application/x-x509-ca-cert', 'privet-ca-next.crt', Buffer.from(next.root.der));
      case '/ca.p7b':
        return file('application/x-pkcs7-certificates', 'privet-ca.p7b', pkcs7(published));
      case '/ca.mobileconfig':
        return file('application/x-apple-aspen-config', 'privet-ca.mobileconfig', appleProfile(published));
      case '/ca-bundle.pem':
        return file('application/x-pem-file', 'ca-bundle.pem', this.bundle());
    }
    const list = /^\/crl\/([\w-]{40,2000})\.crl$/.exec(path)?.[1];
    const der = list === undefined ? undefined : this.#ca.revocationList(list);
    if (der === undefined) return undefined;
    return {
      status: 200,
      headers: ['Content-Type', 'application/pkix-crl', 'Cache-Control', 'max-age=43200'],
      body: der,
    };
  }

  /** Our roots combined with the public ones. */
  bundle(): string {
    const { published } = this.#ca;
    const extra = this.#extraPem();
    const key = `${published.map(({ fingerprint256 }) => fingerprint256).join()} ${extra.length}`;
    if (this.#bundle?.key !== key) this.#bundle = { key, text: fullBundle(published, extra) };
    return this.#bundle.text;
  }
}

function file(type: string, name: string, body: string | Buffer): PortalAnswer {
  return {
    status: 200,
    headers: [
      'Content-Type',
      type,
      'Content-Disposition',
      `attachment; filename="${name}"`,
      'Cache-Control',
      'no-store',
      'X-Content-Type-Options',
      'nosniff',
    ],
    body,
  };
}
