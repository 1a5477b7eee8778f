/** The texts of the report. English defines the keys; the type checks that Japanese has the same. */
import type { Language } from '../portal/words.ts';

const en = {
  title: 'Use of AI services',
  requests: 'Requests',
  users: 'Users',
  services: 'AI services',
  masked: 'Values masked',
  blocked: 'Blocked',
  confirmed: 'Confirmed by users',
  overTime: 'Requests over time',
  service: 'Service',
  category: 'Category',
  maskedHead: 'Masked',
  servicesHead: 'Services',
  types: 'Personal data',
  user: 'User',
  unregistered: 'Unregistered hosts',
  host: 'Host',
  looksLikeAi: 'Looks like AI',
  rule: 'Rule',
  reason: 'Reason',
  reportOnly: 'What report-only rules would have decided',
  action: 'Action',
  none: 'None.',
  noneFound: 'None found.',
  more: (n: number) => `and ${n} more`,
  allowed: 'allowed',
  warned: 'warned',
  refused: 'refused',
  isMasked: 'masked',
  seen: 'seen in monitored or blocked requests',
  made: (at: string) =>
    `Created by Privet at ${at} (UTC). It contains counts and names, never the content of a request.`,
};

/** All texts in one language. */
export type ReportWords = typeof en;

const ja: ReportWords = {
  title: 'AI サービスの利用状況',
  requests: 'リクエスト',
  users: 'ユーザー',
  services: 'AI サービス',
  masked: 'マスクした値',
  blocked: 'ブロック',
  confirmed: 'ユーザーによる確認',
  overTime: 'リクエストの推移',
  service: 'サービス',
  category: '区分',
  maskedHead: 'マスキング',
  servicesHead: 'サービス',
  types: '個人情報',
  user: 'ユーザー',
  unregistered: '未登録のホスト',
  host: 'ホスト',
  looksLikeAi: 'AI の可能性',
  rule: 'ルール',
  reason: '理由',
  reportOnly: '記録のみのルールによる判定',
  action: '判定',
  none: 'ありません。',
  noneFound: '見つかりませんでした。',
  more: (n) => `ほか ${n} 件`,
  allowed: '許可',
  warned: '警告',
  refused: '拒否',
  isMasked: 'マスキング',
  seen: '監視対象またはブロックされたリクエストで検出',
  made: (at) => `Privet が ${at}（UTC）に作成しました。件数と名前だけで、リクエストの内容は含みません。`,
};

export const reportWords = (language: Language): ReportWords => ({ en, ja })[language];
