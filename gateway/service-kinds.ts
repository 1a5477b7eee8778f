/** Display names of the kinds in the shipped registry. A service may have another kind; its code is shown then. */
import { inBoth, type Text } from '../core/wording/in-both.ts';

export const serviceKinds = inBoth({
  agent: ['Agent', 'エージェント'],
  audio: ['Audio', '音声'],
  chat: ['Chat', 'チャット'],
  coding: ['Coding', 'コーディング'],
  companion: ['Companion', 'コンパニオン'],
  image: ['Images', '画像'],
  meeting: ['Meetings', '会議'],
  'model-api': ['Model API', 'モデル API'],
  platform: ['Platform', 'プラットフォーム'],
  search: ['Search', '検索'],
  video: ['Video', '動画'],
  writing: ['Writing', '文章作成'],
} as Record<string, Text>);
