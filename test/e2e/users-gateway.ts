/**
 * A gateway whose proxy requires authentication, with users of the configuration and of a file, and origins behind it.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bcrypt from 'bcryptjs';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { TestAuthority } from '../support/authority.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { tempFolder } from '../support/temp.ts';

/** The password of ann. */
export const password = ['correct', 'horse'].join(':');
/** The password of jürgen. */
export const umlauts = 'pässwört ☃';
/** The realm of the challenge. */
export const realm = 'Acme ☃';

/** Credentials as a field value. */
export const basic = (name: string, secret: string, encoding: BufferEncoding = 'utf8') =>
  `Basic ${Buffer.from(`${name}:${secret}`, encoding).toString('base64')}`;

/** Credentials as a line of a head. */
export const field = (name: string, secret: string) => `Proxy-Authorization: ${basic(name, secret)}`;

/** The running gateway and its environment. */
export type UsersGateway = {
  readonly authority: TestAuthority;
  /** The origin behind plain.example. */
  readonly plain: Origin;
  readonly gateway: Gateway;
  /** The proxy URL with credentials. */
  readonly proxyUrl: (name: string, secret: string) => string;
  readonly close: () => Promise<void>;
};

const rule = (name: string, when: object, action: string) => ({ name, when, then: { action } });

/**
 * Starts the gateway and its origins: ann with a password, jürgen in two groups, apr and sha with old hashes, nobody
 * with none.
 */
export async function startUsersGateway(): Promise<UsersGateway> {
  const authority = new TestAuthority();
  const site = await startOrigin({
    authority,
    names: ['site.example', 'legal.example'],
    handler: (_request, response) => void response.end('<title>the site</title>reached'),
  });
  const plain = await startOrigin({
    handler: (request, response) => {
      if (request.url !== '/slow') return void response.end('plain reached');
      setTimeout(() => response.end('slowly answered'), 100);
    },
  });
  const folder = tempFolder('users');
  const usersFile = join(folder, 'users.htpasswd');
  const apr1 = spawnSync('openssl', ['passwd', '-apr1', 'apr-password']).stdout.toString().trim();
  const sha = '{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=';
  writeFileSync(
    usersFile,
    [
      '# users of the test',
      `jürgen:${bcrypt.hashSync(umlauts, 4).replace(/^\$2b/, '$2y')}:groups=legal, research`,
      `apr:${apr1}`,
      `sha:${sha}`,
      `nobody:${hashPassword('')}`,
      '',
    ].join('\n'),
  );
  const gateway = await startGateway({
    authority,
    hosts: { 'site.example': site, 'legal.example': site, 'plain.example': plain },
    config: {
      auth: {
        proxy: {
          mode: 'basic',
          realm,
          users: [{ name: 'ann', password_hash: hashPassword(password), groups: ['staff'] }],
          users_file: usersFile,
        },
      },
      policy: {
        inspect: { unknown: 'tunnel' },
        rules: [
          rule('not for ann', { users: ['ann'], hosts: ['annless.example'] }, 'block'),
          rule('legal only', { groups: ['legal'], hosts: ['legal.example'] }, 'allow'),
          rule('others not', { hosts: ['legal.example'] }, 'block'),
        ],
      },
    },
  });
  return {
    authority,
    plain,
    gateway,
    proxyUrl: (name, secret) =>
      gateway.proxyUrl.replace('://', `://${encodeURIComponent(name)}:${encodeURIComponent(secret)}@`),
    async close() {
      await gateway.stop();
      await Promise.all([site.close(), plain.close()]);
    },
  };
}
