/** What the reasons of the shipped registry mean; an administrator writes sentences of their own. */
import type { Language } from './words.ts';

const reasons: Readonly<Record<string, readonly [en: string, ja: string]>> = {
  'adult-content': ['it is made for adult content', '成人向けのコンテンツを扱うサービスのため'],
  aggregator: ['it passes requests on to many other services', 'ほかの多くのサービスに内容を転送するため'],
  'anonymous-access': [
    'it is used without an account, so nobody can be held to its terms',
    'アカウントなしで利用でき、契約で守れないため',
  ],
  'autonomous-agent': ['it acts on its own with the rights of the person', '利用者の権限で自動的に操作を行うため'],
  biometric: ['it processes faces or voices of people', '顔や声などの生体情報を扱うため'],
  'browser-extension': [
    'its extension can read every page in the browser',
    '拡張機能がブラウザのすべてのページを読み取れるため',
  ],
  companion: ['it is a companion app that invites personal conversations', '私的な会話を促すコンパニオンアプリのため'],
  'covert-use': ['it is made to be used in secret', '隠れて使うことを目的としたサービスのため'],
  deepfake: ['it makes pictures, voices or videos of real people', '実在の人物の画像・音声・動画を生成するため'],
  'detection-evasion': [
    'it is made to hide that a text comes from an AI',
    'AI の利用を隠すことを目的としたサービスのため',
  ],
  entertainment: ['it is for entertainment', '娯楽目的のサービスのため'],
  'jurisdiction-cn': ['its operator is subject to the law of China', '運営者に中国の法律が適用されるため'],
  'jurisdiction-ru': ['its operator is subject to the law of Russia', '運営者にロシアの法律が適用されるため'],
  'mailbox-access': ['it reads the whole mailbox', 'メールボックス全体を読み取るため'],
  'public-prompts': ['what is typed can be seen by everybody', '入力した内容が公開されるため'],
  reseller: ['it resells access to the models of others', '他社モデルの利用を再販するサービスのため'],
  uncensored: ['its models have no safeguards', '安全対策のないモデルを提供しているため'],
  'unclear-data-terms': [
    'its terms do not say what happens to the data',
    'データの取り扱いが規約に明記されていないため',
  ],
  undress: ['it makes intimate pictures of people without their consent', '本人の同意なく性的な画像を生成するため'],
  'volunteer-compute': ['requests are computed on the machines of strangers', '第三者のコンピューターで処理されるため'],
  wrapper: ['it passes requests on to the model of another company', '他社のモデルに内容を転送するため'],
};

/** The reason as people read it: a known word explained, any other text as it is. */
export function reasonText(reason: string, language: Language): string {
  const known = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return known?.[language === 'ja' ? 1 : 0] ?? reason;
}

/** The words that are explained. */
export const knownReasons: readonly string[] = Object.keys(reasons);
