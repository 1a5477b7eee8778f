/** A note about the sandbox and its limits. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { html, type VNode } from '../shared/html.ts';
import { Icon } from '../shared/icon.ts';
import { useTexts } from '../shared/preferences.ts';
import { useAccess } from './access.ts';
import { useKeyDialog } from './key-dialog.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  title: ['Sandbox, no key needed.', 'サンドボックス（キー不要）。'],
  limits: [
    (length: string, calls: string, entries: number) =>
      `Up to ${length} characters, ${calls} calls a minute, ${entries} dictionary entries, documents of 256 KiB. ` +
      'Sessions last an hour. A stand-in model answers chats.',
    (length: string, calls: string, entries: number) =>
      `テキストは ${length} 文字、1 分あたり ${calls} 回、辞書は ${entries} 件、文書は 256 KiB まで。セッションは 1 時間で終了します。チャットには模擬モデルが答えます。`,
  ],
  left: [(n: string) => `${n} calls left in this minute.`, (n: string) => `この 1 分間の残り：${n} 回。`],
  offTitle: ['The sandbox is switched off here.', 'このゲートウェイではサンドボックスが無効です。'],
  off: ['Every call needs a key.', 'すべての呼び出しにキーが必要です。'],
});

const grouped = (value: number): string => value.toLocaleString('en');

export function SandboxBanner(): VNode | null {
  const words = useTexts(texts);
  const { enterKey } = useTexts(common);
  const { key, settings, callsLeft } = useAccess();
  const askForKey = useKeyDialog();
  if (key !== undefined || settings === undefined) return null;
  const { isOn, callsPerMinute, textLengthMax, dictionaryEntriesMax } = settings.demo;
  return html`<div class=${`sandbox ${isOn ? 'info' : 'warn'}`}>
    <${Icon} name=${isOn ? 'flask' : 'warn'} />
    <p class="grow"><strong>${isOn ? words.title : words.offTitle}</strong> ${
      isOn ? words.limits(grouped(textLengthMax), grouped(callsPerMinute), dictionaryEntriesMax) : words.off
    } ${isOn && callsLeft !== undefined && html`<span class="left">${words.left(grouped(callsLeft))}</span>`}</p>
    <${Button} isSmall icon="key" onClick=${askForKey}>${enterKey}</${Button}>
  </div>`;
}
