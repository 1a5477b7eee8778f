/** Texts of rules, for the list, the form and the dry run. */
export const ruleTexts = inBoth({
  fields: {
    users: ['Users', 'ユーザー'],
    groups: ['Groups', 'グループ'],
    networks: ['Client networks', 'クライアントのネットワーク'],
    services: ['Services', 'サービス'],
    hosts: ['Hosts', 'ホスト'],
    kinds: ['Kinds of service', 'サービスの種類'],
    categories: ['Categories', '区分'],
    methods: ['Methods', 'メソッド'],
    paths: ['Paths', 'パス'],
    hours: ['Hours', '時間帯'],
    upload_over: ['Uploads larger than', '次を超えるアップロード'],
    agents: ['Programs', 'プログラム'],
    mcp_servers: ['MCP servers', 'MCP サーバー'],
    tools: ['Tools', 'ツール'],
  } as Record<string, Text>,
  /** What happens to a type of personal data. */
  settings: {
    block: ['blocked', 'ブロック'],
    off: ['not looked for', '検出しない'],
    on: ['masked', 'マスキング'],
    token: ['masked', 'マスキング'],
    redact: ['redacted', '墨消し'],
    mask: ['partly hidden', '一部を伏せる'],
    hash: ['hashed', 'ハッシュ化'],
  } as Record<string, Text>,
  tools: {
    allow: ['Tools allowed', 'ツールを許可'],
    report: ['Tools reported', 'ツールを記録'],
    strip: ['Tools removed', 'ツールを除去'],
    block: ['Tools blocked', 'ツールをブロック'],
  } as Record<string, Text>,
});

import { inBoth, type Text } from '../../core/wording/in-both.ts';
