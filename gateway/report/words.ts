/** The texts of the report. */
import { inBoth } from '../../core/wording/in-both.ts';
import type { Language } from '../portal/words.ts';

const texts = inBoth({
  title: ['Use of AI services', 'AI サービスの利用状況'],
  requests: ['Requests', 'リクエスト'],
  users: ['Users', 'ユーザー'],
  services: ['AI services', 'AI サービス'],
  masked: ['Values masked', 'マスクした値'],
  blocked: ['Blocked', 'ブロック'],
  confirmed: ['Confirmed by users', 'ユーザーによる確認'],
  overTime: ['Requests over time', 'リクエストの推移'],
  service: ['Service', 'サービス'],
  category: ['Category', '区分'],
  maskedHead: ['Masked', 'マスキング'],
  servicesHead: ['Services', 'サービス'],
  types: ['Personal data', '個人情報'],
  user: ['User', 'ユーザー'],
  unregistered: ['Unregistered hosts', '未登録のホスト'],
  host: ['Host', 'ホスト'],
  looksLikeAi: ['Looks like AI', 'AI の可能性'],
  rule: ['Rule', 'ルール'],
  reason: ['Reason', '理由'],
  reportOnly: ['What report-only rules would have decided', '記録のみのルールによる判定'],
  action: ['Action', '判定'],
  none: ['None.', 'ありません。'],
  noneFound: ['None found.', '見つかりませんでした。'],
  more: [(n: number) => `and ${n} more`, (n: number) => `ほか ${n} 件`],
  allowed: ['allowed', '許可'],
  warned: ['warned', '警告'],
  isBlocked: ['blocked', 'ブロック'],
  isMasked: ['masked', 'マスキング'],
  seen: ['seen in monitored or blocked requests', '監視対象またはブロックされたリクエストで検出'],
  period: [(period: string) => `${period} (UTC)`, (period: string) => `${period}（UTC）`],
  made: [
    (at: string) => `Created by Privet at ${at} (UTC). It contains counts and names, never the content of a request.`,
    (at: string) => `Privet が ${at}（UTC）に作成しました。件数と名前だけで、リクエストの内容は含みません。`,
  ],
});

/** All texts in one language. */
export type ReportWords = (typeof texts)['en'];

export const reportWords = (language: Language): ReportWords => texts[language];
