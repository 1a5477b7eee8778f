/** The texts of block, error and coaching pages. English defines the keys; the type checks the Japanese ones. */
import type { ErrorCode } from '../../../core/errors.ts';
import { type Language, preferredLanguage } from '../../portal/words.ts';
import { headerValue } from '../request/headers.ts';

/** The page for an error: what happened and what the reader can do. The error's own message is under technical details. */
type ErrorWords = { readonly title: string; readonly text: string; readonly hint: string };

const en = {
  errors: {
    blocked_by_policy: {
      title: 'This request was not sent',
      text: 'It contains something that your company does not allow to be sent to this service.',
      hint: 'Remove it and send the request again, or ask your administrator.',
    },
    uninspectable: {
      title: 'This request was not sent',
      text: 'It contains something that the gateway cannot check for personal data.',
      hint: 'Send it in another format, or ask your administrator.',
    },
    body_too_large: {
      title: 'This request was not sent',
      text: 'It is too large to be checked for personal data.',
      hint: 'Send less at a time, or ask your administrator.',
    },
    upstream_certificate: {
      title: 'The identity of this site cannot be confirmed',
      text: 'The certificate of the site is not valid, so the gateway did not connect.',
      hint: 'Ask your administrator if you need the site.',
    },
    upstream_failed: {
      title: 'This site cannot be reached',
      text: 'The gateway could not connect to the site.',
      hint: 'Check the address, or try again later.',
    },
    upstream_timeout: {
      title: 'This site took too long to answer',
      text: 'There was no answer in time.',
      hint: 'Try again later.',
    },
    egress_refused: {
      title: 'This address is not reachable from here',
      text: 'The gateway does not connect to this address.',
      hint: 'Ask your administrator if you need it.',
    },
    port_refused: {
      title: 'This port is not reachable from here',
      text: 'The gateway does not connect to this port.',
      hint: 'Ask your administrator if you need it.',
    },
    proxy_auth_required: {
      title: 'Sign in to the proxy',
      text: 'You need a user name and a password to use the proxy.',
      hint: 'Reload the page and sign in.',
    },
    too_many_requests: {
      title: 'Too many requests',
      text: 'There were too many requests in a short time.',
      hint: 'Try again later.',
    },
    unavailable: {
      title: 'This request cannot be handled right now',
      text: 'The gateway is not ready.',
      hint: 'Try again later.',
    },
  } as Readonly<Partial<Record<ErrorCode, ErrorWords>>>,
  otherError: {
    title: 'The gateway could not pass this request on',
    text: 'The request could not be processed.',
    hint: 'If this happens again, give your administrator the request number below.',
  },
  foundTypes: (names: string) => `It contains data that may not be sent to this service: ${names}.`,
  foundInjection: 'It contains text that looks like an attack on the AI model (prompt injection).',
  // Names of facts
  address: 'Address',
  service: 'Service',
  rule: 'Rule',
  code: 'Code',
  request: 'Request number',
  details: 'Details',
  provider: 'Provider',
  country: 'Country',
  kind: 'Kind',
  // The page in place of a blocked service
  blockedTitle: (name: string) => `${name} is blocked`,
  yourCompany: 'Your company',
  becauseReason: (company: string, reason: string) => `${company} does not allow this service: ${withStop(reason)}`,
  becauseService: (company: string) => `${company} does not allow this AI service.`,
  becauseRule: (company: string, rule: string) => `${company} does not allow this, because of the rule “${rule}”.`,
  becauseAnonymizer: (company: string) =>
    `It shows other sites under its own address, which ${company} does not allow.`,
  becauseUnknown: (company: string) => `${company} has not approved this address.`,
  useInstead: (links: string) => `What you can use instead: ${links}.`,
  askException: 'Ask for an exception',
  askAgain: 'Ask again',
  pending: (date: string) => `You asked for an exception on ${date}. It has not been decided yet.`,
  denied: (date: string) => `Your request for an exception was denied on ${date}.`,
  answer: (note: string) => ` The answer: “${note}”`,
  seeRequests: 'See your requests',
  // The question before a watched service
  coachTitle: (name: string) => `Before you use ${name}`,
  isUnknown: (name: string, company: string) => `${company} has not reviewed ${name} yet.`,
  isApproved: (name: string, company: string) => `${company} has approved ${name}, an AI service, for careful use.`,
  isWatched: (name: string, company: string) => `${company} has not approved ${name}, an AI service.`,
  companyAsks:
    'Its use is monitored. Do not enter personal or customer data, passwords or other secrets. Check its answers before you rely on them.',
  alternatives: (links: string) => `Approved for the same purpose: ${links}.`,
  between: ', ',
  reason: 'What do you need it for?',
  optional: ' (optional)',
  confirm: 'I have read this, continue',
  logged: (time: string) => `Your confirmation is logged and is valid for ${time}.`,
  time: (count: number, unit: 'second' | 'minute' | 'hour' | 'day') => `${count} ${unit}${count === 1 ? '' : 's'}`,
  problemTicket: 'This page was no longer valid. Please confirm again.',
  problemReason: 'Please write what you need it for.',
};

/** Ends a sentence with a full stop, unless it has one. */
function withStop(text: string): string {
  if (/[.!?…。！？]$/.test(text)) return text;
  return /[!-~]$/.test(text) ? `${text}.` : `${text}。`;
}

/** All texts in one language. */
export type PageWords = typeof en;

/** Puts a space between a Latin name and Japanese text. */
const spaced = (name: string): string => name.replace(/[!-~]$/, '$& ');

const units = { second: '秒', minute: '分', hour: '時間', day: '日' } as const;

const ja: PageWords = {
  errors: {
    blocked_by_policy: {
      title: 'このリクエストは送信されませんでした',
      text: '会社のルールで送信が禁止されている内容が含まれています。',
      hint: '該当する内容を除いて送信し直すか、管理者にお問い合わせください。',
    },
    uninspectable: {
      title: 'このリクエストは送信されませんでした',
      text: '送信しようとした内容をゲートウェイで確認できないため、送信していません。',
      hint: '別の形式で送信するか、管理者にお問い合わせください。',
    },
    body_too_large: {
      title: 'このリクエストは送信されませんでした',
      text: '送信しようとした内容が、確認できる大きさを超えています。',
      hint: 'ファイルを小さくするか、管理者にお問い合わせください。',
    },
    upstream_certificate: {
      title: 'このサイトの身元を確認できません',
      text: 'サイトの証明書が正しくないため、接続していません。',
      hint: '管理者にお問い合わせください。',
    },
    upstream_failed: {
      title: 'このサイトに接続できません',
      text: 'ゲートウェイからサイトに接続できませんでした。',
      hint: 'アドレスが正しいか確認し、しばらくしてからもう一度お試しください。',
    },
    upstream_timeout: {
      title: 'サイトから応答がありません',
      text: '時間内に応答がありませんでした。',
      hint: 'しばらくしてからもう一度お試しください。',
    },
    egress_refused: {
      title: 'このアドレスには接続できません',
      text: 'ゲートウェイからの接続が許可されていないアドレスです。',
      hint: '必要な場合は、管理者にお問い合わせください。',
    },
    port_refused: {
      title: 'このポートには接続できません',
      text: 'ゲートウェイからの接続が許可されていないポートです。',
      hint: '必要な場合は、管理者にお問い合わせください。',
    },
    proxy_auth_required: {
      title: 'プロキシへのサインインが必要です',
      text: 'プロキシを利用するには、ユーザー名とパスワードが必要です。',
      hint: 'ページを再読み込みして、サインインしてください。',
    },
    too_many_requests: {
      title: 'リクエストが多すぎます',
      text: '短い時間に多くのリクエストがありました。',
      hint: 'しばらくしてからもう一度お試しください。',
    },
    unavailable: {
      title: '現在、このリクエストを処理できません',
      text: 'ゲートウェイの準備ができていません。',
      hint: 'しばらくしてからもう一度お試しください。',
    },
  },
  otherError: {
    title: 'ゲートウェイはこのリクエストを転送できませんでした',
    text: 'リクエストを処理できませんでした。',
    hint: '問題が続く場合は、下のリクエスト番号を添えて管理者にお問い合わせください。',
  },
  foundTypes: (names) => `このサービスに送信できない情報が含まれています：${names}。`,
  foundInjection: 'AI モデルを悪用する指示（プロンプトインジェクション）とみられる文が含まれています。',
  address: 'アドレス',
  service: 'サービス',
  rule: 'ルール',
  code: 'コード',
  request: 'リクエスト番号',
  details: '詳細',
  provider: '提供元',
  country: '国',
  kind: '種類',
  blockedTitle: (name) => `${name} は利用できません`,
  yourCompany: '会社',
  becauseReason: (company, reason) =>
    `${spaced(company)}では、このサービスの利用を認めていません。理由：${withStop(reason)}`,
  becauseService: (company) => `${spaced(company)}では、この AI サービスの利用を認めていません。`,
  becauseRule: (company, rule) => `${spaced(company)}のルール「${rule}」により、利用できません。`,
  becauseAnonymizer: (company) =>
    `ほかのサイトを表示できるサービスのため、${spaced(company)}では利用を認めていません。`,
  becauseUnknown: (company) => `${spaced(company)}がまだ承認していないアドレスです。`,
  useInstead: (links) => `代わりに利用できるサービス：${links}`,
  askException: '例外を申請する',
  askAgain: 'もう一度申請する',
  pending: (date) => `${date}に例外を申請済みです。現在、審査中です。`,
  denied: (date) => `例外の申請は${date}に却下されました。`,
  answer: (note) => `回答：「${note}」`,
  seeRequests: '申請の状況を見る',
  coachTitle: (name) => `${name} を利用する前に`,
  isUnknown: (name, company) => `${name} は、${spaced(company)}がまだ確認していないサービスです。`,
  isApproved: (name, company) =>
    `${name} は、注意して使うことを条件として、${spaced(company)}が承認した AI サービスです。`,
  isWatched: (name, company) => `${name} は、${spaced(company)}が承認していない AI サービスです。`,
  companyAsks:
    '利用状況は会社が確認しています。個人情報や顧客情報、パスワードなどの機密情報は入力しないでください。回答は内容を確かめてから利用してください。',
  alternatives: (links) => `同じ目的で利用できる承認済みのサービス：${links}`,
  between: '、',
  reason: '利用の目的',
  optional: '（任意）',
  confirm: '内容を確認して続ける',
  logged: (time) => `確認したことは記録され、${time}有効です。`,
  time: (count, unit) => `${count} ${units[unit]}`,
  problemTicket: 'このページの有効期限が切れています。もう一度確認してください。',
  problemReason: '利用の目的を入力してください。',
};

const all: Readonly<Record<Language, PageWords>> = { en, ja };

/** The texts of a language. */
export const pageWordsOf = (language: Language): PageWords => all[language];

/** The browser's language. */
export function languageOf(rawHeaders: readonly string[]): Language {
  return preferredLanguage(headerValue(rawHeaders, 'accept-language'));
}
