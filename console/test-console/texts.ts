/** The texts of the test console, in both languages. */
export const texts = inBoth({
  title: ['Test console', 'テストコンソール'],
  nav: {
    try: ['See it work', '試してみる'],
    mask: ['Mask and restore', 'マスキングと復元'],
    injection: ['Injection lab', 'インジェクション検査'],
    documents: ['Documents', '文書'],
    chat: ['Chat', 'チャット'],
    services: ['AI services', 'AI サービス'],
    dictionary: ['Dictionary', '辞書'],
    endpoints: ['All endpoints', 'すべての API'],
  },
  adminLink: ['Admin console', '管理コンソール'],
  referenceLink: ['API reference', 'API リファレンス（英語）'],
  version: [(version: string) => `Version ${version}`, (version: string) => `バージョン ${version}`],
  about: {
    try: [
      'Type a text. The model receives it without personal data; you read the answer with your values.',
      '文章を入力してください。モデルには個人情報を除いた文章が渡り、回答は元の値に戻して表示されます。',
    ],
    mask: [
      'See what personal data is found in a text, what the model receives instead, and how the answer is restored.',
      '見つかった個人情報、モデルに渡る内容、復元された回答を確かめられます。',
    ],
    injection: [
      'Check a text for instructions to a model and for attacks on a database.',
      'モデルへの不正な指示や、データベースへの攻撃が含まれていないかを調べます。',
    ],
    documents: [
      'Mask whole files, or split a document into chunks for retrieval without personal data.',
      'ファイル全体をマスクするか、個人情報を除いた検索用のチャンクに分割します。',
    ],
    chat: [
      'Ask a model through the gateway. It sees tokens; you see the values.',
      'ゲートウェイ経由でモデルに質問します。モデルに見えるのはトークンだけです。',
    ],
    services: ['See what the policy decides for an address.', 'あるアドレスがポリシーでどう扱われるかを調べます。'],
    dictionary: [
      'Custom terms that must not leave the company: project names, employee numbers.',
      'プロジェクト名や社員番号など、外に出したくない独自の語句を登録します。',
    ],
    endpoints: [
      'Call any endpoint of the API with your own values.',
      'すべての API を任意の値で呼び出せます（説明は英語）。',
    ],
  },
  run: ['Run', '実行'],
  text: ['Text', 'テキスト'],
  samples: ['Samples', 'サンプル'],
  clear: ['Clear', '消去'],
  options: ['Options', 'オプション'],
  result: ['Result', '結果'],
  json: 'JSON',
  code: ['Code', 'コード'],
  took: [(ms: number) => `${ms} ms`, (ms: number) => `${ms} ミリ秒`],
  runHint: 'Ctrl + Enter',
  needsKey: ['This needs a key', 'キーが必要です'],
  needsKeyTodo: [
    'This call is not part of the sandbox. Enter a key to use it.',
    'この呼び出しはサンドボックスでは使えません。キーを入力してください。',
  ],
  enterKey: ['Enter a key', 'キーを入力'],
});

import { inBoth } from '../../core/wording/in-both.ts';
