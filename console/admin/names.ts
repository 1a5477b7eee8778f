/** Words for the codes of services: what kind they are, and where their vendor is. What has no word stands as it is. */
import { useMemo } from '../shared/html.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';

const texts = {
  en: {
    agent: 'Agent',
    audio: 'Audio',
    chat: 'Chat',
    coding: 'Coding',
    companion: 'Companion',
    image: 'Images',
    meeting: 'Meetings',
    'model-api': 'Model API',
    platform: 'Platform',
    search: 'Search',
    video: 'Video',
    writing: 'Writing',
  } as Record<string, string>,
  ja: {
    agent: 'エージェント',
    audio: '音声',
    chat: 'チャット',
    coding: 'コーディング',
    companion: 'コンパニオン',
    image: '画像',
    meeting: '会議',
    'model-api': 'モデル API',
    platform: 'プラットフォーム',
    search: '検索',
    video: '動画',
    writing: '文章作成',
  } as Record<string, string>,
};

/** The kinds of the shipped registry; a service may have another. */
export const kindCodes = Object.keys(texts.en);

/** The name of a kind of service. */
export function useKindNames(): (kind: string) => string {
  const words = useTexts(texts);
  return (kind) => words[kind] ?? kind;
}

/** The name of a country by its two letters. */
export function useCountryNames(): (country: string) => string {
  const { language } = usePreferences();
  const names = useMemo(() => new Intl.DisplayNames(language, { type: 'region', style: 'short' }), [language]);
  return (country) => (/^[A-Z]{2}$/.test(country) ? (names.of(country) ?? country) : country);
}
