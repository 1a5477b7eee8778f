/** A decision in words, with a colour. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { html, type VNode } from '../shared/html.ts';
import { Badge, type Tone } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';

export const verdictTexts = inBoth({
  actions: {
    allow: ['Allowed', '許可'],
    warn: ['Warned', '警告'],
    block: ['Blocked', 'ブロック'],
    none: ['Refused', '拒否'],
    noted: ['Noted', '記録'],
    confirmed: ['Confirmed', '確認済み'],
  } as Record<string, Text>,
  categories: {
    approved: ['Approved', '承認'],
    monitoring: ['Monitoring', '監視'],
    blocked: ['Blocked', 'ブロック'],
    unknown: ['Unregistered', '未登録'],
  } as Record<string, Text>,
  inspects: {
    mask: ['masked', 'マスキング'],
    audit: ['audited', '検出のみ'],
    tunnel: ['not inspected', '検査なし'],
    unsent: ['not sent', '未送信'],
  } as Record<string, Text>,
});

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
  const tone = inspect === 'unsent' ? 'bad' : (tones[action] ?? 'plain');
  return html`<${Badge} tone=${tone}>${actions[action] ?? action}${how}</${Badge}>`;
}

export function CategoryBadge({ category }: { readonly category: string }): VNode {
  const { categories } = useTexts(verdictTexts);
  return html`<${Badge} tone=${tones[category] ?? 'plain'}>${categories[category] ?? category}</${Badge}>`;
}
