/** The texts of the portal. English defines the keys; the type checks that Japanese has the same. */
import { serviceKinds } from '../service-kinds.ts';

/** Languages of the pages. */
export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

const en = {
  language: 'English',
  otherLanguage: '日本語',
  skip: 'Skip to the content',
  navigation: 'Pages',
  home: 'Home',
  install: 'Certificate',
  allowed: 'What is allowed',
  mine: 'My data',
  footer:
    'This page comes from the gateway between you and the internet. It shows counts and types, never what you wrote.',
  contact: 'Questions: ',
  yes: 'yes',
  no: 'no',
  // Home
  homeTitle: 'Your connection and Privet',
  homeLead:
    'Privet takes personal data out of what you send to AI services and puts it back into the answers, inside this network.',
  usingProxy: 'You are using the proxy.',
  notThrough:
    'You opened this page without the proxy. This address works only through the proxy; open it to check your browser:',
  status: 'Status',
  who: 'You are identified as',
  whoOf: 'You are identified as: ',
  address: 'IP address',
  groups: 'Groups',
  anonymous: 'not signed in, identified by IP address',
  trust: 'Certificate',
  trustGood: 'This browser trusts the Privet certificate',
  trustBad: 'not trusted by this browser yet',
  trustHint: 'No green badge? ',
  setUp: 'Set up a program by hand',
  setUpProxy: 'HTTP and HTTPS proxy',
  setUpPac: 'Automatic configuration (PAC)',
  next: 'Where to go',
  goInstall: 'Install the certificate on this device',
  goAllowed: 'See which AI services you may use',
  goMine: 'See what was masked in your requests',
  goException: 'Ask for an exception',
  // Certificate
  installTitle: 'Install the certificate',
  installLead:
    'Privet decrypts connections to AI services with its own certificate. Your device must trust its root once.',
  installLimited:
    ' Privet can only sign certificates for the AI services it inspects. It cannot impersonate your bank.',
  fingerprintTitle: 'Compare this first',
  fingerprintText:
    'This download is not encrypted. Install the certificate only if the fingerprint matches the one from your administrator.',
  fingerprint: 'SHA-256 fingerprint',
  name: 'Name',
  validUntil: 'Valid until',
  nextRoot: 'The root certificate will change',
  nextRootText: (date: string) =>
    `The new one takes over on ${date}. The downloads below contain both, so if you install now you are done.`,
  downloads: 'Downloads',
  formats: {
    pem: 'PEM',
    der: 'DER',
    p7b: 'PKCS #7',
    mobileconfig: 'Apple profile',
    bundle: 'PEM with the public roots',
  },
  download: (name: string) => `Download ${name}`,
  forYou: 'for this device',
  platforms: 'Step by step',
  programs: 'Programs and command lines',
  programsText:
    'Many programs have their own list of trusted roots. These settings cover most of them; “privet env” prints all.',
  bundleHint:
    'ca-bundle.pem contains the public roots and ours, because some programs replace their list with this file.',
  // Services
  servicesTitle: 'Which AI services you may use',
  servicesLead: 'What your company allows you right now. It may depend on the time, your group and the page.',
  search: 'Search',
  searchHint: 'Name, vendor or domain',
  category: 'Show',
  all: 'all',
  find: 'Find',
  service: 'Service',
  kind: 'Kind',
  kinds: serviceKinds.en,
  availability: 'For you',
  masked: 'allowed, personal data is masked',
  watched: 'allowed, monitored',
  open: 'allowed',
  warned: 'allowed with care, monitored',
  blocked: 'blocked',
  approvedOnly: 'approved',
  monitoringOnly: 'monitored',
  blockedOnly: 'blocked',
  noneFound: 'No service matches. Services that are not listed follow the rule for unregistered services.',
  more: (shown: number, all: number) => `${shown} of ${all} shown; search to narrow the list.`,
  askFor: 'Ask for an exception',
  // Me
  mineTitle: 'Your data and Privet',
  mineLead: (days: number) => `The last ${days} days. Privet records types and counts, never what you wrote.`,
  requestsHead: 'Requests',
  maskedHead: 'Values masked',
  requests: 'Requests to AI services',
  restoredValues: 'Values put back into answers',
  refused: 'Requests refused',
  byType: 'Personal data found',
  type: 'Type',
  found: 'Found',
  ofThemMasked: 'Masked',
  byService: 'Services you used',
  lastUsed: 'Last used',
  nothingYet: 'Nothing has been found in your requests yet.',
  cutShort: 'Only your newest requests are counted.',
  storeAway: 'The figures are not available right now. Try again in a moment.',
  directIdentity:
    'Here you are identified by your IP address. Open this page through the proxy to be identified by name:',
  // Exceptions
  exceptionsTitle: 'Your exception requests',
  noExceptions: 'You have not asked for an exception yet.',
  askTitle: 'Ask for an exception',
  askLead: 'Your administrator sees your name, the address and your reason, and decides.',
  host: 'Address',
  hostHint: 'For example chat.example.com. You can also paste a link.',
  reason: 'Reason',
  reasonHint: 'What do you need it for, and for how long? No personal data, please.',
  send: 'Send the request',
  sent: 'Your request has been sent.',
  asked: 'Asked',
  state: 'State',
  note: 'Answer',
  stateOpen: 'pending',
  stateGranted: 'granted',
  stateDenied: 'denied',
  until: 'until',
  problemHost: 'Enter an address such as chat.example.com.',
  problemReason: 'Enter a reason.',
  problemToken: 'The form was open for too long, or was sent from another page. Please send it again.',
  problemTooMany: 'You have too many open requests. Please wait for a decision.',
  problemAway: 'The request could not be saved. Please try again in a moment.',
  notFoundTitle: 'Page not found',
  notFoundText: 'Choose one of the pages above.',
};

/** All texts in one language. */
export type Words = typeof en;

const ja: Words = {
  language: '日本語',
  otherLanguage: 'English',
  skip: '本文へ移動',
  navigation: 'ページ',
  home: 'ホーム',
  install: '証明書',
  allowed: '利用できるサービス',
  mine: '自分のデータ',
  footer:
    'このページは、お使いの端末とインターネットの間にあるゲートウェイが表示しています。表示するのは件数と種類だけで、入力した内容は表示しません。',
  contact: 'お問い合わせ：',
  yes: 'はい',
  no: 'いいえ',
  homeTitle: '接続の状態と Privet',
  homeLead:
    'Privet は、AI サービスに送信する内容から個人情報を取り除き、回答の中で元に戻します。取り除いた値はこのネットワークの外に出ません。',
  usingProxy: 'プロキシを経由しています。',
  notThrough:
    'このページはプロキシを経由していません。ブラウザの設定は、プロキシ経由でのみ開ける次のアドレスで確認できます：',
  status: '状態',
  who: '利用者',
  whoOf: '利用者：',
  address: 'IP アドレス',
  groups: 'グループ',
  anonymous: 'サインインしていません（IP アドレスで識別）',
  trust: '証明書',
  trustGood: 'このブラウザは Privet の証明書を信頼しています',
  trustBad: 'このブラウザではまだ信頼されていません',
  trustHint: '緑色の表示が出ない場合：',
  setUp: 'プログラムを手動で設定する',
  setUpProxy: 'HTTP / HTTPS プロキシ',
  setUpPac: '自動構成（PAC）',
  next: '次にすること',
  goInstall: 'この端末に証明書をインストールする',
  goAllowed: '利用できる AI サービスを確認する',
  goMine: '自分のデータのマスキング状況を確認する',
  goException: '例外を申請する',
  installTitle: '証明書のインストール',
  installLead:
    'Privet は、AI サービスへの暗号化された接続を独自の証明書で開きます。そのため、端末でルート証明書を一度だけ信頼させる必要があります。',
  installLimited:
    'Privet が証明書を発行できるのは、検査対象の AI サービスに対してだけです。銀行などのサイトになりすますことはできません。',
  fingerprintTitle: '最初に確認してください',
  fingerprintText:
    'このダウンロードの通信は暗号化されていません。管理者から案内されたフィンガープリントと一致する場合だけインストールしてください。',
  fingerprint: 'SHA-256 フィンガープリント',
  name: '名前',
  validUntil: '有効期限',
  nextRoot: '新しいルート証明書への切り替えが予定されています',
  nextRootText: (date) =>
    `${date} に切り替わります。下のダウンロードには両方が含まれているので、今インストールしておけば、切り替え時の作業は不要です。`,
  downloads: 'ダウンロード',
  formats: {
    pem: 'PEM',
    der: 'DER',
    p7b: 'PKCS #7',
    mobileconfig: 'Apple プロファイル',
    bundle: '公開ルート証明書を含む PEM',
  },
  download: (name) => `${name} をダウンロード`,
  forYou: 'この端末用',
  platforms: '手順',
  programs: 'プログラムとコマンドライン',
  programsText:
    '多くのプログラムは、信頼するルート証明書を独自に管理しています。次の設定でほとんどに対応できます。「privet env」ですべて表示できます。',
  bundleHint:
    '指定したファイルで信頼リスト全体を置き換えるプログラムがあるため、ca-bundle.pem には公開されているルート証明書も含まれています。',
  servicesTitle: '利用できる AI サービス',
  servicesLead:
    '会社のルールで、現在あなたが利用できるサービスです。時間帯、グループ、ページによって異なることがあります。',
  search: '検索',
  searchHint: '名前、提供元、ドメイン',
  category: '表示',
  all: 'すべて',
  find: '検索する',
  service: 'サービス',
  kind: '種類',
  kinds: serviceKinds.ja,
  availability: '利用可否',
  masked: '利用可（個人情報をマスキング）',
  watched: '利用可（監視対象）',
  open: '利用可',
  warned: '注意して利用（監視対象）',
  blocked: '利用不可',
  approvedOnly: '承認済み',
  monitoringOnly: '監視対象',
  blockedOnly: '利用不可',
  noneFound: '該当するサービスはありません。一覧にないサービスには、未登録サービスのルールが適用されます。',
  more: (shown, all) => `${all} 件中 ${shown} 件を表示しています。検索で絞り込めます。`,
  askFor: '例外を申請する',
  mineTitle: '自分のデータ',
  mineLead: (days) =>
    `過去 ${days} 日間の記録です。Privet が保存するのは種類と件数だけで、入力した内容は保存しません。`,
  requestsHead: 'リクエスト',
  maskedHead: 'マスクした値',
  requests: 'AI サービスへのリクエスト',
  restoredValues: '回答で元に戻した値',
  refused: '拒否したリクエスト',
  byType: '見つかった個人情報',
  type: '種類',
  found: '検出',
  ofThemMasked: 'うちマスキング',
  byService: '利用したサービス',
  lastUsed: '最終利用',
  nothingYet: 'あなたのリクエストからは、まだ何も見つかっていません。',
  cutShort: '件数が多いため、新しいリクエストだけを数えています。',
  storeAway: '現在、件数を表示できません。しばらくしてからもう一度お試しください。',
  directIdentity:
    'このページでは IP アドレスで識別しています。ユーザー名で識別するには、プロキシを経由して開いてください：',
  exceptionsTitle: '例外の申請',
  noExceptions: '例外の申請はまだありません。',
  askTitle: '例外を申請する',
  askLead: '管理者が、申請者・アドレス・理由を確認して判断します。',
  host: 'アドレス',
  hostHint: '例：chat.example.com（リンク全体でも構いません）',
  reason: '理由',
  reasonHint: '何のために、いつまで必要ですか。個人情報は書かないでください。',
  send: '申請する',
  sent: '申請を送信しました。',
  asked: '申請日時',
  state: '状態',
  note: '回答',
  stateOpen: '審査中',
  stateGranted: '承認',
  stateDenied: '却下',
  until: '期限',
  problemHost: 'chat.example.com のようなアドレスを入力してください。',
  problemReason: '理由を入力してください。',
  problemToken: '画面を開いてから時間がたったか、別のページから送信されました。もう一度送信してください。',
  problemTooMany: '審査中の申請が多すぎます。結果が出るまでお待ちください。',
  problemAway: '申請を保存できませんでした。しばらくしてからもう一度お試しください。',
  notFoundTitle: 'ページが見つかりません',
  notFoundText: '上のページから選んでください。',
};

const all: Readonly<Record<Language, Words>> = { en, ja };

/** The texts of a language. */
export const wordsOf = (language: Language): Words => all[language];

/** The language preferred by an Accept-Language field (RFC 9110 §12.5.4); English if it names neither. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const part of (acceptLanguage ?? '').slice(0, 1_000).split(',')) {
    const [range = '', ...parameters] = part.trim().split(';');
    const language = languages.find((name) => new RegExp(`^${name}(?:-|$)`, 'i').test(range.trim()));
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find((text) => text !== undefined);
    const weight = quality === undefined ? 1 : Number(quality);
    if (language !== undefined && weight > best.weight) best = { language, weight };
  }
  return best.language;
}
