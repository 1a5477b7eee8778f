/** The texts of block, error and coaching pages. */
import type { ErrorCode } from '../../../core/errors.ts';
import { inBoth, type Text } from '../../../core/wording/in-both.ts';
import { type Language, preferredLanguage } from '../../portal/words.ts';
import { headerValue } from '../request/headers.ts';

/** The page for an error: what happened and what the reader can do. The error's own message is under technical details. */
type ErrorWords = { readonly title: Text; readonly text: Text; readonly hint: Text };

const texts = inBoth({
  errors: {
    blocked_by_policy: {
      title: ['This request was not sent', 'このリクエストは送信されませんでした'],
      text: [
        'It contains something that your company does not allow to be sent to this service.',
        '会社のルールで送信が禁止されている内容が含まれています。',
      ],
      hint: [
        'Remove it and send the request again, or ask your administrator.',
        '該当する内容を除いて送信し直すか、管理者にお問い合わせください。',
      ],
    },
    uninspectable: {
      title: ['This request was not sent', 'このリクエストは送信されませんでした'],
      text: [
        'It contains something that the gateway cannot check for personal data.',
        '送信しようとした内容をゲートウェイで確認できないため、送信していません。',
      ],
      hint: [
        'Send it in another format, or ask your administrator.',
        '別の形式で送信するか、管理者にお問い合わせください。',
      ],
    },
    body_too_large: {
      title: ['This request was not sent', 'このリクエストは送信されませんでした'],
      text: [
        'It is too large to be checked for personal data.',
        '送信しようとした内容が、確認できる大きさを超えています。',
      ],
      hint: [
        'Send less at a time, or ask your administrator.',
        'ファイルを小さくするか、管理者にお問い合わせください。',
      ],
    },
    upstream_certificate: {
      title: ['The identity of this site cannot be confirmed', 'このサイトの身元を確認できません'],
      text: [
        'The certificate of the site is not valid, so the gateway did not connect.',
        'サイトの証明書が正しくないため、接続していません。',
      ],
      hint: ['Ask your administrator if you need the site.', '管理者にお問い合わせください。'],
    },
    upstream_failed: {
      title: ['This site cannot be reached', 'このサイトに接続できません'],
      text: ['The gateway could not connect to the site.', 'ゲートウェイからサイトに接続できませんでした。'],
      hint: [
        'Check the address, or try again later.',
        'アドレスが正しいか確認し、しばらくしてからもう一度お試しください。',
      ],
    },
    upstream_timeout: {
      title: ['This site took too long to answer', 'サイトから応答がありません'],
      text: ['There was no answer in time.', '時間内に応答がありませんでした。'],
      hint: ['Try again later.', 'しばらくしてからもう一度お試しください。'],
    },
    egress_refused: {
      title: ['This address is not reachable from here', 'このアドレスには接続できません'],
      text: ['The gateway does not connect to this address.', 'ゲートウェイからの接続が許可されていないアドレスです。'],
      hint: ['Ask your administrator if you need it.', '必要な場合は、管理者にお問い合わせください。'],
    },
    port_refused: {
      title: ['This port is not reachable from here', 'このポートには接続できません'],
      text: ['The gateway does not connect to this port.', 'ゲートウェイからの接続が許可されていないポートです。'],
      hint: ['Ask your administrator if you need it.', '必要な場合は、管理者にお問い合わせください。'],
    },
    proxy_auth_required: {
      title: ['Sign in to the proxy', 'プロキシへのサインインが必要です'],
      text: [
        'You need a user name and a password to use the proxy.',
        'プロキシを利用するには、ユーザー名とパスワードが必要です。',
      ],
      hint: ['Reload the page and sign in.', 'ページを再読み込みして、サインインしてください。'],
    },
    too_many_requests: {
      title: ['Too many requests', 'リクエストが多すぎます'],
      text: ['There were too many requests in a short time.', '短い時間に多くのリクエストがありました。'],
      hint: ['Try again later.', 'しばらくしてからもう一度お試しください。'],
    },
    unavailable: {
      title: ['This request cannot be handled right now', '現在、このリクエストを処理できません'],
      text: ['The gateway is not ready.', 'ゲートウェイの準備ができていません。'],
      hint: ['Try again later.', 'しばらくしてからもう一度お試しください。'],
    },
  } as Readonly<Partial<Record<ErrorCode, ErrorWords>>>,
  otherError: {
    title: ['The gateway could not pass this request on', 'ゲートウェイはこのリクエストを転送できませんでした'],
    text: ['The request could not be processed.', 'リクエストを処理できませんでした。'],
    hint: [
      'If this happens again, give your administrator the request ID under “Technical details”.',
      '問題が続く場合は、「技術的な詳細」のリクエスト ID を添えて管理者にお問い合わせください。',
    ],
  },
  foundTypes: [
    (names: string) => `It contains data that may not be sent to this service: ${names}.`,
    (names: string) => `このサービスに送信できない情報が含まれています：${names}。`,
  ],
  foundInjection: [
    'It contains text that looks like an attack on the AI model (prompt injection).',
    'AI モデルを悪用する指示（プロンプトインジェクション）とみられる文が含まれています。',
  ],
  // Names of facts
  address: ['Address', 'アドレス'],
  service: ['Service', 'サービス'],
  rule: ['Rule', 'ルール'],
  code: ['Code', 'コード'],
  request: ['Request ID', 'リクエスト ID'],
  details: ['Details', '詳細'],
  provider: ['Provider', '提供元'],
  country: ['Country', '国'],
  kind: ['Kind', '種類'],
  // The page for a blocked service
  blockedTitle: [(name: string) => `${name} is blocked`, (name: string) => `${name} は利用できません`],
  yourCompany: ['Your company', '会社'],
  becauseReason: [
    (company: string, reason: string) => `${company} does not allow this service: ${withStop(reason)}`,
    (company: string, reason: string) =>
      `${spaced(company)}では、このサービスの利用を認めていません。理由：${withStop(reason)}`,
  ],
  becauseService: [
    (company: string) => `${company} does not allow this AI service.`,
    (company: string) => `${spaced(company)}では、この AI サービスの利用を認めていません。`,
  ],
  becauseRule: [
    (company: string, rule: string) => `${company} does not allow this, because of the rule “${rule}”.`,
    (company: string, rule: string) => `${spaced(company)}のルール「${rule}」により、利用できません。`,
  ],
  becauseAnonymizer: [
    (company: string) => `${company} does not allow it, because it shows other sites under its own address.`,
    (company: string) => `ほかのサイトを表示できるサービスのため、${spaced(company)}では利用を認めていません。`,
  ],
  becauseUnknown: [
    (company: string) => `${company} has not approved this address.`,
    (company: string) => `${spaced(company)}がまだ承認していないアドレスです。`,
  ],
  useInstead: [
    (links: string) => `What you can use instead: ${links}.`,
    (links: string) => `代わりに利用できるサービス：${links}`,
  ],
  askException: ['Ask for an exception', '例外を申請する'],
  askAgain: ['Ask again', 'もう一度申請する'],
  pending: ['You asked for an exception. It has not been decided yet.', '例外を申請済みです。現在、審査中です。'],
  denied: ['Your request for an exception was denied.', '例外の申請は却下されました。'],
  answer: [
    (note: string) => ` Your administrator’s note: “${note}”`,
    (note: string) => `管理者からの連絡：「${note}」`,
  ],
  seeRequests: ['See your requests', '申請の状況を見る'],
  // The question before a monitored service
  coachTitle: [(name: string) => `Before you use ${name}`, (name: string) => `${name} を利用する前に`],
  isUnknown: [
    (name: string, company: string) => `${company} has not reviewed ${name} yet.`,
    (name: string, company: string) => `${name} は、${spaced(company)}がまだ確認していないサービスです。`,
  ],
  isApproved: [
    (name: string, company: string) => `${company} has approved the AI service ${name} for careful use.`,
    (name: string, company: string) =>
      `${name} は、注意して使うことを条件として、${spaced(company)}が承認した AI サービスです。`,
  ],
  isWatched: [
    (name: string, company: string) => `${company} has not approved the AI service ${name}.`,
    (name: string, company: string) => `${name} は、${spaced(company)}が承認していない AI サービスです。`,
  ],
  companyAsks: [
    'Its use is monitored. Do not enter personal or customer data, passwords or other secrets. Check its answers before you rely on them.',
    '利用状況は会社が確認しています。個人情報や顧客情報、パスワードなどの機密情報は入力しないでください。回答は内容を確かめてから利用してください。',
  ],
  alternatives: [
    (links: string) => `Approved for the same purpose: ${links}.`,
    (links: string) => `同じ目的で利用できる承認済みのサービス：${links}`,
  ],
  between: [', ', '、'],
  reason: ['What do you need it for?', '利用の目的'],
  optional: [' (optional)', '（任意）'],
  confirm: ['I have read this, continue', '内容を確認して続ける'],
  logged: [
    (time: string) => `Your confirmation is logged and is valid for ${time}.`,
    (time: string) => `確認したことは記録され、${time}有効です。`,
  ],
  time: [
    (count: number, unit: 'second' | 'minute' | 'hour' | 'day') => `${count} ${unit}${count === 1 ? '' : 's'}`,
    (count: number, unit: 'second' | 'minute' | 'hour' | 'day') => `${count} ${units[unit]}`,
  ],
  problemTicket: [
    'This page was no longer valid. Please confirm again.',
    'このページの有効期限が切れています。もう一度確認してください。',
  ],
  problemReason: ['Please write what you need it for.', '利用の目的を入力してください。'],
});

/** Ends a sentence with a full stop, unless it has one. */
function withStop(text: string): string {
  if (/[.!?…。！？]$/.test(text)) return text;
  return /[!-~]$/.test(text) ? `${text}.` : `${text}。`;
}

/** All texts in one language. */
export type PageWords = (typeof texts)['en'];

/** Puts a space between a Latin name and Japanese text. */
const spaced = (name: string): string => name.replace(/[!-~]$/, '$& ');

const units = { second: '秒', minute: '分', hour: '時間', day: '日' } as const;

/** The texts of a language. */
export const pageWordsOf = (language: Language): PageWords => texts[language];

/** The browser's language. */
export function languageOf(rawHeaders: readonly string[]): Language {
  return preferredLanguage(headerValue(rawHeaders, 'accept-language'));
}
