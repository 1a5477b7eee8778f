/** Lists of services that come from outside: what is new in them waits for somebody to approve it. */
import { Button } from '../shared/button.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useToast } from '../shared/toast.ts';
import { useFormat } from './format.ts';
import { Loaded, useLoad } from './load.ts';
import { useApi } from './session.ts';

const texts = {
  en: {
    empty: 'No feeds are configured.',
    last: (when: string) => `last read ${when}`,
    never: 'never read',
    added: (n: string) => `${n} new`,
    changed: (n: string) => `${n} changed`,
    removed: (n: string) => `${n} gone`,
    fetch: 'Read now',
    approve: 'Approve',
    reject: 'Reject',
    look: 'Show what would change',
    hide: 'Hide',
    done: { fetch: 'The feed was read', approve: 'The changes are in force', reject: 'The changes are rejected' },
  },
  ja: {
    empty: 'フィードは設定されていません。',
    last: (when: string) => `最終取得 ${when}`,
    never: '未取得',
    added: (n: string) => `追加 ${n}`,
    changed: (n: string) => `変更 ${n}`,
    removed: (n: string) => `削除 ${n}`,
    fetch: '今すぐ取得',
    approve: '承認',
    reject: '却下',
    look: '変更内容を表示',
    hide: '隠す',
    done: { fetch: 'フィードを取得しました', approve: '変更を適用しました', reject: '変更を却下しました' },
  },
};

type Counts = { readonly added: number; readonly changed: number; readonly removed: number };
type Feed = {
  readonly name: string;
  readonly url?: string | null;
  readonly file?: string | null;
  readonly last_fetch: string | null;
  readonly state: string;
  readonly error?: string | null;
  readonly diff: Counts | null;
};

export function FeedList(): VNode {
  const words = useTexts(texts);
  const load = useLoad<{ readonly feeds: readonly Feed[] }>('/admin/feeds');
  return html`<${Loaded}
    load=${load}
    show=${({ feeds }: { feeds: readonly Feed[] }) =>
      feeds.length === 0
        ? html`<${EmptyState} icon="globe" title=${words.empty} />`
        : feeds.map((feed) => html`<${FeedCard} key=${feed.name} feed=${feed} reload=${load.reload} />`)}
  />`;
}

type Step = 'fetch' | 'approve' | 'reject';

function FeedCard({ feed, reload }: { readonly feed: Feed; readonly reload: () => Promise<void> }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { name, url, file, last_fetch: last, state, error, diff } = feed;
  const isWaiting = diff !== null && diff.added + diff.changed + diff.removed > 0;
  const step = async (what: Step): Promise<void> => {
    setBusy(true);
    const outcome = await api.post(`/admin/feeds/${encodeURIComponent(name)}/${what}`);
    setBusy(false);
    toast(outcome.ok ? { text: words.done[what] } : { text: outcome.problem.message, tone: 'bad' });
    await reload();
  };
  return html`<article class="card stack tight">
    <div class="row">
      <h2>${name}</h2>
      <${Badge} tone=${error ? 'bad' : isWaiting ? 'warn' : 'plain'}>${state}</${Badge}>
      <span class="quiet-text">${last === null ? words.never : words.last(format.relative(last))}</span>
    </div>
    <p class="mono quiet-text">${url ?? file}</p>
    ${error && html`<p class="error">${error}</p>`}
    ${
      isWaiting &&
      html`<p class="row tight">
        <${Badge} tone="good">${words.added(format.number(diff.added))}</${Badge}>
        <${Badge} tone="warn">${words.changed(format.number(diff.changed))}</${Badge}>
        <${Badge} tone="bad">${words.removed(format.number(diff.removed))}</${Badge}>
      </p>`
    }
    <div class="row">
      <${Button} isBusy=${isBusy} onClick=${() => void step('fetch')}>${words.fetch}</${Button}>
      ${
        isWaiting &&
        html`<${Button} kind="primary" isBusy=${isBusy} onClick=${() => void step('approve')}>${words.approve}</${Button}>
          <${Button} isBusy=${isBusy} onClick=${() => void step('reject')}>${words.reject}</${Button}>
          <${Button} kind="quiet" isExpanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${isOpen ? words.hide : words.look}</${Button}>`
      }
    </div>
    ${isOpen && html`<${FeedDiff} name=${name} />`}
  </article>`;
}

function FeedDiff({ name }: { readonly name: string }): VNode {
  const load = useLoad<unknown>(`/admin/feeds/${encodeURIComponent(name)}/diff`);
  return html`<${Loaded} load=${load} show=${(diff: unknown) => html`<pre class="diff" tabindex="0">${JSON.stringify(diff, null, 1)}</pre>`} />`;
}
