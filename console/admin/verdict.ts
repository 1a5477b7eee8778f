/** A decision in words, with a colour. */
import { html, type VNode } from '../shared/html.ts';
import { Badge, type Tone } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';

export const verdictTexts = {
  en: {
    actions: {
      allow: 'Allowed',
      warn: 'Warned',
      block: 'Blocked',
      none: 'Refused',
      noted: 'Noted',
      confirmed: 'Confirmed',
    } as Record<string, string>,
    categories: {
      approved: 'Approved',
      monitoring: 'Monitoring',
      blocked: 'Blocked',
      unknown: 'Unregistered',
    } as Record<string, string>,
    inspects: { mask: 'masked', audit: 'audited', tunnel: 'not inspected' } as Record<string, string>,
  },
  ja: {
    actions: {
      allow: '許可',
      warn: '警告',
      block: 'ブロック',
      none: '拒否',
      noted: '記録',
      confirmed: '確認済み',
    } as Record<string, string>,
    categories: { approved: '承認', monitoring: '監視', blocked: 'ブロック', unknown: '未登録' } as Record<
      string,
      string
    >,
    inspects: { mask: 'マスキング', audit: '検出のみ', tunnel: '検査なし' } as Record<string, string>,
  },
};

const tones: Readonly<Record<string, Tone>> = {
  allow: 'good',
  warn: 'warn',
  block: 'bad',
  approved: 'good',
  monitoring: 'warn',
  blocked: 'bad',
};

/** `Allowed · masked` */
export function Verdict({
  action,
  inspect,
}: {
  readonly action: string;
  readonly inspect?: string | undefined;
}): VNode {
  const { actions, inspects } = useTexts(verdictTexts);
  const how = inspect !== undefined && ['allow', 'warn'].includes(action) ? ` · ${inspects[inspect] ?? inspect}` : '';
  return html`<${Badge} tone=${tones[action] ?? 'plain'}>${actions[action] ?? action}${how}</${Badge}>`;
}

export function CategoryBadge({ category }: { readonly category: string }): VNode {
  const { categories } = useTexts(verdictTexts);
  return html`<${Badge} tone=${tones[category] ?? 'plain'}>${categories[category] ?? category}</${Badge}>`;
}
