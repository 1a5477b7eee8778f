/** How to install the root certificate, by platform: steps and commands. */
import { type Platform, platforms } from '../../core/wording/platforms.ts';
import { trustCommands } from '../../core/wording/trust-commands.ts';

function program(id: string, name: string, en: string, ja: string): Platform {
  return { id, name, file: '/ca.pem', steps: { en: [en], ja: [ja] } };
}

/** The platforms, and the programs with certificates of their own. */
export const installations: readonly Platform[] = [
  ...platforms,
  program(
    'node',
    'Node.js',
    'Node.js does not use the certificates of the system. Set the variable where the program starts.',
    'Node.js はシステムの証明書を使いません。プログラムを起動する場所で変数を設定します。',
  ),
  program(
    'python',
    'Python',
    'requests and httpx read the file from these variables.',
    'requests と httpx は次の変数でファイルを参照します。',
  ),
  program(
    'java',
    'Java',
    'Add the certificate to the trust store of the Java runtime.',
    'Java 実行環境のトラストストアに証明書を追加します。',
  ),
  program(
    'git',
    'Git, curl',
    'Git and curl read the file from these settings.',
    'Git と curl は次の設定でファイルを参照します。',
  ),
];

/** The commands for a platform or program; `origin` is the address of the proxy, which also serves the certificate. */
export function commandsFor(id: string, origin: string): string | undefined {
  const fetchPem = `curl -fo privet-ca.pem ${origin}/ca.pem`;
  const lines: Readonly<Record<string, readonly string[]>> = {
    windows: [`Invoke-WebRequest ${origin}/ca.crt -OutFile privet-ca.crt`, ...trustCommands.windows],
    macos: [`curl -fo privet-ca.crt ${origin}/ca.crt`, ...trustCommands.macos],
    linux: [fetchPem, ...trustCommands.debian, '', ...trustCommands.fedora],
    node: [fetchPem, 'export NODE_EXTRA_CA_CERTS="$PWD/privet-ca.pem"', `export HTTPS_PROXY=${origin}`],
    python: [
      fetchPem,
      'cat "$(python3 -m certifi)" privet-ca.pem > privet-bundle.pem',
      'export REQUESTS_CA_BUNDLE="$PWD/privet-bundle.pem" SSL_CERT_FILE="$PWD/privet-bundle.pem"',
      `export HTTPS_PROXY=${origin}`,
    ],
    java: [fetchPem, 'keytool -importcert -noprompt -cacerts -storepass changeit -alias privet -file privet-ca.pem'],
    git: [
      fetchPem,
      'git config --global http.sslCAInfo "$PWD/privet-ca.pem"',
      `curl --proxy ${origin} --cacert privet-ca.pem https://chatgpt.com/`,
    ],
  };
  return lines[id]?.join('\n');
}
