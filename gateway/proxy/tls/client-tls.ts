/**
 * TLS between clients and the proxy itself (`https://` proxies), which protects passwords on the wire. A client
 * certificate can name the user (CN) and groups (OU).
 */
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { readableCertificatesOf } from '../../../certs/formats.ts';
import { type Fault, faultText } from '../../../config/fault.ts';
import { bytesOf } from '../../../config/problem.ts';
import type { Config } from '../../../config/schema.ts';
import { PrivetError } from '../../../core/errors.ts';
import { nameProblem } from '../../users/users-file.ts';
import { addressOf, type Peer, peerOf, setPeer } from '../listen/peer.ts';
import { forgetOfferedProtocols } from './offered-protocols.ts';

type Settings = NonNullable<Config['listen']['proxy_tls']>;

/** Certificate, key and how client certificates are requested. */
export type ClientTlsOptions = Pick<tls.TlsOptions, 'cert' | 'key' | 'ca' | 'requestCert' | 'rejectUnauthorized'>;

/** Reads the files of `listen.proxy_tls`. Throws PrivetError `unavailable` if one cannot be read or used. */
export function readClientTls(settings: Settings): ClientTlsOptions {
  const { options, faults } = read(settings);
  const [fault] = faults;
  if (fault === undefined) return options;
  throw new PrivetError('unavailable', `${faultText(fault)}.`, { hint: 'Check listen.proxy_tls.' });
}

/** All errors in the files; {@link readClientTls} throws the first. */
export function clientTlsFaults(settings: Settings): readonly Fault[] {
  return read(settings).faults;
}

function read({ cert_file, key_file, client_ca_file, client_cert }: Settings) {
  const faults: Fault[] = [];
  const report = (key: string[], message: string) =>
    void faults.push({ path: ['listen', 'proxy_tls', ...key], message });
  const bytesAt = (key: string, file: string): Buffer | undefined => {
    const bytes = bytesOf(file);
    return typeof bytes === 'string' ? report([key], bytes) : bytes;
  };
  const cert = bytesAt('cert_file', cert_file);
  const key = bytesAt('key_file', key_file);
  try {
    if (cert && key) tls.createSecureContext({ cert, key });
  } catch {
    report([], 'certificate and key are damaged or do not belong together');
  }
  const authorities = client_ca_file === null ? undefined : bytesAt('client_ca_file', client_ca_file);
  let ca: string[] | undefined;
  try {
    ca = authorities && readableCertificatesOf(authorities.toString('latin1'));
    if (ca?.length === 0) report(['client_ca_file'], `${client_ca_file} contains no PEM certificate`);
  } catch {
    report(['client_ca_file'], `${client_ca_file} contains a damaged certificate`);
  }
  const options: ClientTlsOptions = {
    cert,
    key,
    requestCert: client_cert !== 'none',
    rejectUnauthorized: client_cert === 'required',
    ...(ca === undefined ? {} : { ca }),
  };
  return { options, faults };
}

/** Terminates client TLS; has no listener of its own. */
export class ClientTls {
  private server: tls.Server;
  private options: ClientTlsOptions;
  private readonly handshakeMs: number;
  private readonly onSecure: (socket: Socket) => void;
  /** Clients behind a load balancer during their handshake: the TLS socket knows only the balancer's address. */
  private readonly announced = new Map<string, Peer>();

  constructor(options: { tls: ClientTlsOptions; handshakeMs: number; onSecure: (socket: Socket) => void }) {
    this.handshakeMs = options.handshakeMs;
    this.onSecure = options.onSecure;
    this.options = options.tls;
    this.server = this.serverOf(options.tls);
  }

  /** Applies new certificates; open connections keep theirs. */
  replace(options: ClientTlsOptions): void {
    if (isDeepStrictEqual(options, this.options)) return;
    this.options = options;
    this.server = this.serverOf(options);
  }

  /** Starts the handshake on an accepted connection; a failed one closes it. */
  take(socket: Socket): void {
    const peer = peerOf(socket);
    if (peer) {
      const key = endOf(socket);
      this.announced.set(key, peer);
      socket.once('close', () => this.announced.delete(key));
    }
    // Nobody reads before the handshake is done, so only a socket without half-open support notices a client that
    // leaves.
    socket.allowHalfOpen = false;
    this.server.emit('connection', socket);
  }

  private serverOf(options: ClientTlsOptions): tls.Server {
    const server = tls.createServer({
      ...options,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: this.handshakeMs,
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket) => this.secured(socket, options));
    return server;
  }

  private secured(socket: tls.TLSSocket, { requestCert }: ClientTlsOptions): void {
    socket.on('error', () => {});
    socket.allowHalfOpen = true;
    forgetOfferedProtocols(socket);
    const peer: Peer = this.announced.get(endOf(socket)) ?? { address: addressOf(socket) };
    if (!requestCert) {
      setPeer(socket, peer);
    } else {
      const certificate = socket.getPeerCertificate();
      const isGiven = Object.keys(certificate ?? {}).length > 0;
      // An invalid certificate is an error, unlike a missing one.
      if (isGiven && !socket.authorized) return void socket.destroy();
      setPeer(socket, isGiven ? { ...peer, ...identityOf(certificate) } : peer);
    }
    this.onSecure(socket);
  }
}

function endOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/** User and groups from a certificate's subject; empty without a usable CN. */
function identityOf({ subject }: { subject?: tls.Certificate }): Omit<Peer, 'address'> {
  const [user] = [subject?.CN ?? []].flat();
  if (user === undefined || nameProblem(user) !== undefined) return {};
  const groups = [subject?.OU ?? []].flat().filter((group) => nameProblem(group) === undefined);
  return { user: user.normalize('NFC'), groups: groups.map((group) => group.normalize('NFC')) };
}
