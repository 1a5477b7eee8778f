import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from './button.ts';
import { html, useEffect, useState, type VNode } from './html.ts';
import { useTexts } from './preferences.ts';

const texts = inBoth({
  copy: ['Copy', 'コピー'],
  copied: ['Copied', 'コピーしました'],
  failed: ['Not copied: select it and press Ctrl+C', 'コピーできません。選択して Ctrl+C を押してください'],
});

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }): VNode {
  const words = useTexts(texts);
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_500);
    return () => clearTimeout(timer);
  }, [state]);
  return html`<span role="status">
    <${Button}
      isSmall
      kind="quiet"
      icon=${state === 'copied' ? 'check' : 'copy'}
      onClick=${async () => setState((await copy(text)) ? 'copied' : 'failed')}
    >${state === 'idle' ? (label ?? words.copy) : words[state]}</${Button}>
  </span>`;
}

/** True if the text was copied. Plain HTTP pages have no clipboard API and fall back to execCommand. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    // With an open dialog, nothing outside it can be selected.
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return isCopied;
  }
}
