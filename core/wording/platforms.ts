/** How to install the certificate: per platform the file and the steps, in both languages. */
import { trustCommands } from './trust-commands.ts';

/** Instructions. */
export type Platform = {
  readonly id: string;
  readonly name: string;
  /** Path of the matching download. */
  readonly file: string;
  /** They may contain `code` between backticks. */
  readonly steps: { readonly en: readonly string[]; readonly ja: readonly string[] };
};

const commandOf = (system: keyof typeof trustCommands): string => `\`${trustCommands[system].join(' && ')}\``;

export const platforms: readonly Platform[] = [
  {
    id: 'windows',
    name: 'Windows',
    file: '/ca.crt',
    steps: {
      en: [
        'Download and open the file. Choose "Install Certificate…", then "Local Machine" (without administrator rights: "Current User").',
        'Choose "Place all certificates in the following store", then "Trusted Root Certification Authorities".',
        'Restart Edge and Chrome.',
        `Instead of these steps, as administrator: ${commandOf('windows')}.`,
        'For many machines: Group Policy, or Intune ("Trusted certificate").',
      ],
      ja: [
        'ファイルをダウンロードして開き、［証明書のインストール］を選びます。保存場所は［ローカル コンピューター］です（管理者権限がない場合は［現在のユーザー］）。',
        '［証明書をすべて次のストアに配置する］を選び、［信頼されたルート証明機関］を指定します。',
        'Edge と Chrome を再起動します。',
        `上の手順の代わりに、管理者として次のコマンドも使えます：${commandOf('windows')}。多数の端末には、グループ ポリシーまたは Intune の「信頼された証明書」プロファイルを使います。`,
      ],
    },
  },
  {
    id: 'macos',
    name: 'macOS',
    file: '/ca.mobileconfig',
    steps: {
      en: [
        'Download the profile and open it. Go to System Settings → General → Device Management and install it.',
        'Open Keychain Access → System → the certificate → Trust, and choose "Always Trust".',
        `Or in a terminal, with ca.crt (below): ${commandOf('macos')}.`,
      ],
      ja: [
        'プロファイルをダウンロードして開きます。［システム設定］→［一般］→［デバイス管理］でインストールします。',
        '［キーチェーンアクセス］→［システム］→ 証明書 →［信頼］で［常に信頼］を選びます。',
        `または、下の ca.crt をダウンロードしてターミナルで：${commandOf('macos')}`,
      ],
    },
  },
  {
    id: 'ios',
    name: 'iPhone, iPad',
    file: '/ca.mobileconfig',
    steps: {
      en: [
        'Open this page in Safari and download the profile.',
        'Settings → General → VPN & Device Management → "Privet gateway" → Install.',
        'Settings → General → About → Certificate Trust Settings: switch the Privet root on.',
      ],
      ja: [
        'このページを Safari で開き、プロファイルをダウンロードします。',
        '［設定］→［一般］→［VPN とデバイス管理］→「Privet gateway」→［インストール］。',
        '［設定］→［一般］→［情報］→［証明書信頼設定］で、Privet のルート証明書をオンにします。',
      ],
    },
  },
  {
    id: 'android',
    name: 'Android',
    file: '/ca.crt',
    steps: {
      en: [
        'Download the file. Settings → Security → Encryption & credentials → Install a certificate → CA certificate, and choose the file.',
        'Chrome uses it. Other apps use it only if their developers allow it. Your administrator can exempt apps that pin a certificate.',
      ],
      ja: [
        'ファイルをダウンロードします。［設定］→［セキュリティ］→［暗号化と認証情報］→［証明書のインストール］→［CA 証明書］でファイルを選びます。',
        'Chrome では有効になります。ほかのアプリでは、提供元が許可している場合だけ有効です。独自の証明書しか受け付けないアプリは、管理者が対象外にできます。',
      ],
    },
  },
  {
    id: 'linux',
    name: 'Linux',
    file: '/ca.pem',
    steps: {
      en: [
        `Debian, Ubuntu: ${commandOf('debian')}.`,
        `Fedora, RHEL instead: ${commandOf('fedora')}.`,
        'Chrome and Chromium too, for each user: `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n privet -i privet-ca.pem`.',
      ],
      ja: [
        `Debian、Ubuntu の場合：${commandOf('debian')}`,
        `Fedora、RHEL の場合：${commandOf('fedora')}`,
        'Chrome と Chromium には、ユーザーごとに登録します：`certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n privet -i privet-ca.pem`',
      ],
    },
  },
  {
    id: 'chromeos',
    name: 'ChromeOS',
    file: '/ca.crt',
    steps: {
      en: [
        'Settings → Privacy and security → Security → Manage certificates → Authorities → Import, and trust it for websites.',
        'For managed devices: Admin console → Devices → Networks → Certificates, "Certificate authority" on.',
      ],
      ja: [
        '［設定］→［プライバシーとセキュリティ］→［セキュリティ］→［証明書の管理］→［認証局］→［インポート］を選び、ウェブサイトの識別に使用します。',
        '管理対象の端末では、管理コンソールの［デバイス］→［ネットワーク］→［証明書］で「認証局」をオンにします。',
      ],
    },
  },
  {
    id: 'firefox',
    name: 'Firefox',
    file: '/ca.crt',
    steps: {
      en: [
        'Settings → Privacy & Security → Certificates: allow Firefox to trust the root certificates you install in the system.',
        'Or View Certificates… → Authorities → Import…, and tick "Trust this CA to identify websites".',
        'For many machines the policy is `Certificates.ImportEnterpriseRoots`.',
      ],
      ja: [
        '［設定］→［プライバシーとセキュリティ］→［証明書］で、サードパーティのルート証明書を自動的に信頼する設定をオンにします（証明書はシステムに入れます）。',
        'または［証明書を表示］→［認証局証明書］→［インポート］で、「この認証局によるウェブサイトの識別を信頼する」にチェックを入れます。',
        '多数の端末には、ポリシー `Certificates.ImportEnterpriseRoots` を使います。',
      ],
    },
  },
];

/** The platform named in a User-Agent field; undefined for programs and unknown ones. */
export function platformOf(userAgent: string): string | undefined {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Android/.test(userAgent)) return 'android';
  if (/CrOS/.test(userAgent)) return 'chromeos';
  if (/Windows NT/.test(userAgent)) return 'windows';
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macos';
  return /Linux|X11/.test(userAgent) ? 'linux' : undefined;
}
