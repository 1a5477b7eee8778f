/** What the rules are called that no policy has named: the steps of every decision. */
import { useTexts } from '../shared/preferences.ts';
import { verdictTexts } from './verdict.ts';

const texts = {
  en: {
    steps: {
      bypass: 'Bypass list',
      anonymizers: 'Anonymizers',
      service: 'Registry',
      'service is_blocked': 'Service marked as blocked',
      'policy.unknown': 'Unregistered hosts',
    } as Record<string, string>,
    category: (name: string) => `Category: ${name}`,
  },
  ja: {
    steps: {
      bypass: '検査の除外リスト',
      anonymizers: '匿名化サービス',
      service: 'サービスの登録',
      'service is_blocked': 'ブロック指定のサービス',
      'policy.unknown': '未登録のホスト',
    } as Record<string, string>,
    category: (name: string) => `区分: ${name}`,
  },
};

/** The name of a rule: its own, or what its step is called. */
export function useRuleNames(): (rule: string) => string {
  const words = useTexts(texts);
  const { categories } = useTexts(verdictTexts);
  return (rule) => {
    const category = rule.startsWith('category ') ? categories[rule.slice('category '.length)] : undefined;
    return category === undefined ? (words.steps[rule] ?? rule) : words.category(category);
  };
}
