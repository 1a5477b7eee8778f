/** How to install the root certificate, by platform: steps and commands. */
import { trustCommands } from '../../core/wording/trust-commands.ts';
import type { Language } from '../shared/preferences.ts';

export const platforms = [
  'windows',
  'macos',
  'linux',
  'ios',
  'android',
  'firefox',
  'node',
  'python',
  'java',
  'git',
] as const;
export type Platform = (typeof platforms)[number];

export type InstallSteps = {
  readonly steps: readonly string[];
  readonly commands?: string;
  /** The certificate format of the platform. */
  readonly file: 'ca.crt' | 'ca.pem' | 'ca.mobileconfig';
};

type Words = Readonly<Record<Platform, readonly string[]>>;

const words: Readonly<Record<Language, Words>> = {
  en: {
    windows: [
      'For one machine: run this in PowerShell as an administrator.',
      'For all machines: add it in Group Policy under Security Settings, Public Key Policies, Trusted Root Certification Authorities.',
    ],
    macos: ['Run this in Terminal, or distribute the file as a certificate payload with your device management.'],
    linux: ['Debian and Ubuntu use the first three lines, Fedora and Red Hat the last two.'],
    ios: [
      'Open the download in Safari and allow the profile.',
      'Settings, General, VPN & Device Management: install the profile.',
      'Settings, General, About, Certificate Trust Settings: switch full trust on.',
    ],
    android: [
      'Download the file.',
      'Settings, Security, Encryption & credentials, Install a certificate, CA certificate: choose the file.',
      'Apps trust it only where they allow user certificates; browsers do.',
    ],
    firefox: [
      'Set security.enterprise_roots.enabled to true to use the certificates of the system, or:',
      'Settings, Privacy & Security, View Certificates, Authorities, Import: choose the file and trust it for websites.',
    ],
    node: ['Node.js does not use the certificates of the system. Set the variable where the program starts.'],
    python: ['requests and httpx read the file from these variables.'],
    java: ['Add the certificate to the trust store of the Java runtime.'],
    git: ['Git and curl read the file from these settings.'],
  },
  ja: {
    windows: [
      '1 台の場合：管理者の PowerShell で次を実行します。',
      '全台に配布する場合：グループポリシーの「コンピューターの構成 > Windows の設定 > セキュリティの設定 > 公開キーのポリシー > 信頼されたルート証明機関」に追加します。',
    ],
    macos: ['ターミナルで次を実行するか、デバイス管理の証明書ペイロードとして配布します。'],
    linux: ['Debian / Ubuntu は最初の 3 行、Fedora / Red Hat は最後の 2 行を使います。'],
    ios: [
      'Safari でダウンロードを開き、プロファイルを許可します。',
      '「設定 > 一般 > VPN とデバイス管理」でプロファイルをインストールします。',
      '「設定 > 一般 > 情報 > 証明書信頼設定」で完全な信頼を有効にします。',
    ],
    android: [
      'ファイルをダウンロードします。',
      '「設定 > セキュリティ > 暗号化と認証情報 > 証明書のインストール > CA 証明書」でファイルを選びます。',
      'ユーザー証明書を許可するアプリだけが信頼します。ブラウザは対応しています。',
    ],
    firefox: [
      'security.enterprise_roots.enabled を true にするとシステムの証明書が使われます。または、',
      '「設定 > プライバシーとセキュリティ > 証明書を表示 > 認証局証明書 > インポート」でファイルを選び、ウェブサイトの識別に使用します。',
    ],
    node: ['Node.js はシステムの証明書を使いません。プログラムを起動する場所で変数を設定します。'],
    python: ['requests と httpx は次の変数でファイルを参照します。'],
    java: ['Java 実行環境のトラストストアに証明書を追加します。'],
    git: ['Git と curl は次の設定でファイルを参照します。'],
  },
};

/** The steps of a platform; `origin` is the address of the proxy, which also serves the certificate. */
export function installSteps(
  platform: Platform,
  { origin, language }: { origin: string; language: Language },
): InstallSteps {
  const commands = commandsOf(origin)[platform];
  const binary = ['windows', 'macos', 'android'].includes(platform) ? 'ca.crt' : 'ca.pem';
  const file = platform === 'ios' ? 'ca.mobileconfig' : binary;
  return { steps: words[language][platform], file, commands };
}

function commandsOf(origin: string): Partial<Record<Platform, string>> {
  const fetchPem = `curl -fo privet-ca.pem ${origin}/ca.pem`;
  return {
    windows: [`Invoke-WebRequest ${origin}/ca.crt -OutFile privet-ca.crt`, ...trustCommands.windows].join('\n'),
    macos: [`curl -fo privet-ca.crt ${origin}/ca.crt`, ...trustCommands.macos].join('\n'),
    linux: [fetchPem, ...trustCommands.debian, '', ...trustCommands.fedora].join('\n'),
    node: [fetchPem, 'export NODE_EXTRA_CA_CERTS="$PWD/privet-ca.pem"', `export HTTPS_PROXY=${origin}`].join('\n'),
    python: [
      fetchPem,
      'cat "$(python3 -m certifi)" privet-ca.pem > privet-bundle.pem',
      'export REQUESTS_CA_BUNDLE="$PWD/privet-bundle.pem" SSL_CERT_FILE="$PWD/privet-bundle.pem"',
      `export HTTPS_PROXY=${origin}`,
    ].join('\n'),
    java: [
      fetchPem,
      'keytool -importcert -noprompt -cacerts -storepass changeit -alias privet -file privet-ca.pem',
    ].join('\n'),
    git: [
      fetchPem,
      'git config --global http.sslCAInfo "$PWD/privet-ca.pem"',
      `curl --proxy ${origin} --cacert privet-ca.pem https://chatgpt.com/`,
    ].join('\n'),
  };
}
