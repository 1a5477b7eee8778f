/** The texts of the portal. */
import { inBoth } from '../../core/wording/in-both.ts';
import { serviceKinds } from '../service-kinds.ts';

/** Languages of the pages. */
export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

const texts = inBoth({
  language: ['English', '日本語'],
  otherLanguage: ['日本語', 'English'],
  skip: ['Skip to the content', '本文へ移動'],
  navigation: ['Pages', 'ページ'],
  home: ['Home', 'ホーム'],
  install: ['Certificate', '証明書'],
  allowed: ['What is allowed', '利用できるサービス'],
  mine: ['My data', '自分のデータ'],
  footer: [
    'This page comes from the gateway between you and the internet. It shows counts and types, never what you wrote.',
    'このページは、お使いの端末とインターネットの間にあるゲートウェイが表示しています。表示するのは件数と種類だけで、入力した内容は表示しません。',
  ],
  contact: ['Questions: ', 'お問い合わせ：'],
  // Home
  homeTitle: ['Your connection', '接続の状態'],
  homeLead: [
    'Privet masks personal data in what you send to approved AI services and restores it in the answers. The masked values never leave this network.',
    'Privet は、承認済みの AI サービスに送信する内容の個人情報をマスクし、回答の中で元に戻します。マスクした値がこのネットワークの外に出ることはありません。',
  ],
  usingProxy: ['You are using the proxy.', 'プロキシを経由しています。'],
  notThrough: [
    'You opened this page without the proxy. This address works only through the proxy; open it to check your browser:',
    'このページはプロキシを経由していません。ブラウザの設定は、プロキシ経由でのみ開ける次のアドレスで確認できます：',
  ],
  status: ['Status', '状態'],
  who: ['You are identified as', '利用者'],
  whoOf: ['You are identified as: ', '利用者：'],
  address: ['IP address', 'IP アドレス'],
  groups: ['Groups', 'グループ'],
  anonymous: ['Not signed in, identified by IP address', 'サインインしていません（IP アドレスで識別）'],
  trust: ['Certificate', '証明書'],
  trustGood: ['This browser trusts the Privet certificate', 'このブラウザは Privet の証明書を信頼しています'],
  trustBad: ['Not trusted by this browser yet', 'このブラウザではまだ信頼されていません'],
  trustHint: ['No green badge? ', '緑色の表示が出ない場合：'],
  setUp: ['Set up a program manually', 'プログラムを手動で設定する'],
  setUpProxy: ['HTTP and HTTPS proxy', 'HTTP / HTTPS プロキシ'],
  setUpPac: ['Automatic configuration (PAC)', '自動構成（PAC）'],
  next: ['Next steps', '次にすること'],
  goInstall: ['Install the certificate on this device', 'この端末に証明書をインストールする'],
  goAllowed: ['See which AI services you may use', '利用できる AI サービスを確認する'],
  goMine: ['See what was masked in your requests', '自分のデータのマスキング状況を確認する'],
  goException: ['Ask for an exception', '例外を申請する'],
  // Certificate
  installTitle: ['Install the certificate', '証明書のインストール'],
  installLead: [
    'Privet decrypts connections to AI services with its own certificate. Install its root certificate once on each device.',
    'Privet は、AI サービスへの暗号化された接続を独自の証明書で開きます。そのため、端末でルート証明書を一度だけ信頼させる必要があります。',
  ],
  installLimited: [
    ' Privet can only sign certificates for the AI services it inspects. It cannot impersonate your bank.',
    'Privet が証明書を発行できるのは、検査対象の AI サービスに対してだけです。銀行などのサイトになりすますことはできません。',
  ],
  fingerprintTitle: ['Compare this first', '最初に確認してください'],
  fingerprintText: [
    'This download is not encrypted. Install the certificate only if the fingerprint matches the one from your administrator.',
    'このダウンロードの通信は暗号化されていません。管理者から案内されたフィンガープリントと一致する場合だけインストールしてください。',
  ],
  fingerprint: ['SHA-256 fingerprint', 'SHA-256 フィンガープリント'],
  name: ['Name', '名前'],
  validUntil: ['Valid until', '有効期限'],
  nextRoot: ['The root certificate will change', '新しいルート証明書への切り替えが予定されています'],
  nextRootText: [
    (date: string) =>
      `The new one takes over on ${date}. The downloads below contain both, so if you install now you are done.`,
    (date: string) =>
      `${date} に切り替わります。下のダウンロードには両方が含まれているので、今インストールしておけば、切り替え時の作業は不要です。`,
  ],
  downloads: ['Downloads', 'ダウンロード'],
  formats: {
    pem: 'PEM',
    der: 'DER',
    p7b: 'PKCS #7',
    mobileconfig: ['Apple profile', 'Apple プロファイル'],
    bundle: ['PEM with the public roots', '公開ルート証明書を含む PEM'],
  },
  download: [(name: string) => `Download ${name}`, (name: string) => `${name} をダウンロード`],
  forYou: ['For this device', 'この端末用'],
  platforms: ['Step by step', '手順'],
  programs: ['Programs and command lines', 'プログラムとコマンドライン'],
  programsText: [
    'Many programs have their own list of trusted roots. These settings cover most of them; “privet env” prints all.',
    '多くのプログラムは、信頼するルート証明書を独自に管理しています。次の設定でほとんどに対応できます。「privet env」ですべて表示できます。',
  ],
  bundleHint: [
    'ca-bundle.pem contains the public roots and ours, because some programs replace their list with this file.',
    '指定したファイルで信頼リスト全体を置き換えるプログラムがあるため、ca-bundle.pem には公開されているルート証明書も含まれています。',
  ],
  // Services
  servicesTitle: ['Which AI services you may use', '利用できる AI サービス'],
  servicesLead: [
    'What your company allows you right now. It may depend on the time, your group and the page.',
    '会社のルールで、現在あなたが利用できるサービスです。時間帯、グループ、ページによって異なることがあります。',
  ],
  search: ['Search', '検索'],
  searchHint: ['Name, vendor or domain', '名前、提供元、ドメイン'],
  show: ['Show', '表示'],
  all: ['All', 'すべて'],
  find: ['Find', '検索する'],
  service: ['Service', 'サービス'],
  kind: ['Kind', '種類'],
  kinds: [serviceKinds.en, serviceKinds.ja],
  availability: ['For you', '利用可否'],
  masked: ['Allowed, personal data is masked', '利用可（個人情報をマスキング）'],
  watched: ['Allowed, monitored', '利用可（監視対象）'],
  open: ['Allowed', '利用可'],
  warned: ['Allowed, use with care (monitored)', '注意して利用（監視対象）'],
  blocked: ['Blocked', '利用不可'],
  withCare: ['Use with care', '注意して利用'],
  noneFound: [
    'No service matches. Services that are not listed follow the rule for unregistered services.',
    '該当するサービスはありません。一覧にないサービスには、未登録サービスのルールが適用されます。',
  ],
  more: [
    (shown: number, all: number) => `${shown} of ${all} shown; search to narrow the list.`,
    (shown: number, all: number) => `${all} 件中 ${shown} 件を表示しています。検索で絞り込めます。`,
  ],
  first: [
    (shown: number) => `The first ${shown} are shown; search to narrow the list.`,
    (shown: number) => `最初の ${shown} 件を表示しています。検索で絞り込めます。`,
  ],
  askFor: ['Ask for an exception', '例外を申請する'],
  // Me
  mineTitle: ['My data', '自分のデータ'],
  mineLead: [
    (days: number) => `The last ${days} days. Privet records types and counts, never what you wrote.`,
    (days: number) =>
      `過去 ${days} 日間の記録です。Privet が保存するのは種類と件数だけで、入力した内容は保存しません。`,
  ],
  requestsHead: ['Requests', 'リクエスト'],
  maskedHead: ['Values masked', 'マスクした値'],
  requests: ['Requests to AI services', 'AI サービスへのリクエスト'],
  restoredValues: ['Values restored in answers', '回答で元に戻した値'],
  refused: ['Requests refused', '拒否したリクエスト'],
  byType: ['Personal data found', '見つかった個人情報'],
  type: ['Type', '種類'],
  found: ['Found', '検出'],
  ofThemMasked: ['Masked', 'うちマスキング'],
  byService: ['Services you used', '利用したサービス'],
  lastUsed: ['Last used', '最終利用'],
  nothingYet: [
    'Nothing has been found in your requests yet.',
    'あなたのリクエストからは、まだ何も見つかっていません。',
  ],
  cutShort: ['Only your newest requests are counted.', '件数が多いため、新しいリクエストだけを数えています。'],
  storeAway: [
    'The figures are not available right now. Try again in a moment.',
    '現在、件数を表示できません。しばらくしてからもう一度お試しください。',
  ],
  directIdentity: [
    'Here you are identified by your IP address. Open this page through the proxy to be identified by name:',
    'このページでは IP アドレスで識別しています。ユーザー名で識別するには、プロキシを経由して開いてください：',
  ],
  // Exceptions
  exceptionsTitle: ['Your exception requests', '例外の申請'],
  noExceptions: ['You have not requested an exception yet.', '例外の申請はまだありません。'],
  askTitle: ['Ask for an exception', '例外を申請する'],
  askLead: [
    'Your administrator sees your name, the address and your reason, and decides.',
    '管理者が、申請者・アドレス・理由を確認して判断します。',
  ],
  host: ['Address', 'アドレス'],
  hostHint: [
    'For example chat.example.com. You can also paste a link.',
    '例：chat.example.com（リンク全体でも構いません）',
  ],
  reason: ['Reason', '理由'],
  reasonHint: [
    'What do you need it for, and for how long? No personal data, please.',
    '何のために、いつまで必要ですか。個人情報は書かないでください。',
  ],
  send: ['Send the request', '申請する'],
  sent: ['Your request has been sent.', '申請を送信しました。'],
  asked: ['Requested', '申請日時'],
  state: ['State', '状態'],
  note: ['Administrator’s note', '管理者からの連絡'],
  stateOpen: ['Pending', '審査中'],
  stateGranted: ['Granted', '許可'],
  stateDenied: ['Denied', '却下'],
  until: ['until', '期限'],
  problemHost: ['Enter an address such as chat.example.com.', 'chat.example.com のようなアドレスを入力してください。'],
  problemReason: ['Enter a reason.', '理由を入力してください。'],
  problemToken: [
    'The form was open for too long, or was sent from another page. Please send it again.',
    '画面を開いてから時間がたったか、別のページから送信されました。もう一度送信してください。',
  ],
  problemTooMany: [
    'You have too many open requests. Please wait for a decision.',
    '審査中の申請が多すぎます。結果が出るまでお待ちください。',
  ],
  problemAway: [
    'The request could not be saved. Please try again in a moment.',
    '申請を保存できませんでした。しばらくしてからもう一度お試しください。',
  ],
  notFoundTitle: ['Page not found', 'ページが見つかりません'],
  notFoundText: ['Choose one of the pages above.', '上のページから選んでください。'],
});

/** All texts in one language. */
export type Words = (typeof texts)['en'];

/** The texts of a language. */
export const wordsOf = (language: Language): Words => texts[language];

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
