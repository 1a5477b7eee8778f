/** External service lists; changes wait for approval. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { Feed, FeedChanges } from '../../gateway/api/routes/feeds.ts';
import { Button } from '../shared/button.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { Badge, EmptyState, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { useSentences } from '../shared/sentences.ts';
import { useFormat } from './format.ts';
import { Loaded, useLoad, useSend } from './load.ts';
import { useApi } from './session.ts';
import { verdictTexts } from './verdict.ts';

const texts = inBoth({
  empty: ['No feeds are configured.', 'フィードは設定されていません。'],
  emptyHow: [
    'A feed keeps the registry up to date from your own list. Add it under “feeds” in the configuration file.',
    'フィードを使うと、外部のリストから登録サービスを更新できます。設定ファイルの「feeds」に記述してください。',
  ],
  last: [(when: string) => `fetched ${when}`, (when: string) => `最終取得：${when}`],
  never: ['not fetched yet', '未取得'],
  added: [(n: string) => `${n} new`, (n: string) => `追加 ${n}`],
  changed: [(n: string) => `${n} changed`, (n: string) => `変更 ${n}`],
  removed: [(n: string) => `${n} removed`, (n: string) => `削除 ${n}`],
  fetch: ['Fetch now', '今すぐ取得'],
  approve: ['Approve', '承認'],
  reject: ['Reject', '却下'],
  entries: [(n: string) => `${n} active ${n === '1' ? 'entry' : 'entries'}`, (n: string) => `有効 ${n} 件`],
  states: {
    new: ['New', '未取得'],
    current: ['Up to date', '最新'],
    pending: ['Waiting for approval', '承認待ち'],
    rejected: ['Rejected', '却下済み'],
    failed: ['Failed', '失敗'],
  } as Record<string, Text>,
  look: ['Show the changes', '変更内容を表示'],
  hide: ['Hide', '隠す'],
  done: {
    fetch: ['The feed was fetched', 'フィードを取得しました'],
    approve: ['The changes were applied', '変更を適用しました'],
    reject: ['The changes were rejected', '変更を却下しました'],
  },
});

export function FeedList(): VNode {
  const words = useTexts(texts);
  const load = useLoad<{ readonly feeds: readonly Feed[] }>('/admin/feeds');
  return html`<${Loaded}
    load=${load}
    show=${({ feeds }: { feeds: readonly Feed[] }) =>
      feeds.length === 0
        ? html`<${EmptyState} icon="globe" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`
        : feeds.map((feed) => html`<${FeedCard} key=${feed.name} feed=${feed} reload=${load.reload} />`)}
  />`;
}

const tones = { added: 'good', changed: 'warn', removed: 'bad' } as const;
type Step = 'fetch' | 'approve' | 'reject';

function FeedCard({ feed, reload }: { readonly feed: Feed; readonly reload: () => Promise<void> }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const send = useSend(reload);
  const { error: sentence } = useSentences();
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { name, source, last_fetch: last, state, error, entries, diff, digest, warnings } = feed;
  const isWaiting = state === 'pending';
  const step = async (what: Step): Promise<void> => {
    setBusy(true);
    // Decide only on the list that is shown here.
    const seen = what === 'fetch' || digest === null ? undefined : { digest };
    await send(api.post(`/admin/feeds/${encodeURIComponent(name)}/${what}`, seen), words.done[what]);
    setBusy(false);
  };
  return html`<article class="card stack tight">
    <div class="row">
      <h2>${name}</h2>
      <${Badge} tone=${error ? 'bad' : isWaiting ? 'warn' : 'plain'}>${words.states[state] ?? state}</${Badge}>
      <span class="quiet-text">${words.entries(format.number(entries))}</span>
      <span class="quiet-text">${last === null ? words.never : words.last(format.relative(last))}</span>
    </div>
    <p class="mono quiet-text">${'url' in source ? source.url : source.file}</p>
    ${error && html`<p class="error">${sentence(error)}</p>`}
    ${
      warnings.length > 0 &&
      html`<${Note} tone="warn">
        <ul class="details">${warnings.slice(0, 8).map((line) => html`<li key=${line}>${sentence(line)}</li>`)}</ul>
      </${Note}>`
    }
    ${
      isWaiting &&
      html`<p class="row tight">
        ${(['added', 'changed', 'removed'] as const).map(
          (kind) => html`<${Badge} key=${kind} tone=${diff[kind] === 0 ? 'plain' : tones[kind]}>
            ${words[kind](format.number(diff[kind]))}
          </${Badge}>`,
        )}
      </p>`
    }
    <div class="row">
      ${
        isWaiting &&
        html`<${Button} kind="primary" isBusy=${isBusy} onClick=${() => void step('approve')}>${words.approve}</${Button}>
          <${Button} isBusy=${isBusy} onClick=${() => void step('reject')}>${words.reject}</${Button}>
          <${Button} kind="quiet" isExpanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${isOpen ? words.hide : words.look}</${Button}>`
      }
      <${Button} isBusy=${isBusy} onClick=${() => void step('fetch')}>${words.fetch}</${Button}>
    </div>
    ${isOpen && html`<${FeedDiff} key=${digest} name=${name} />`}
  </article>`;
}

/** Maximum number of entries shown; longer lists are read in the file itself. */
const shownMax = 200;

function FeedDiff({ name }: { readonly name: string }): VNode {
  const words = useTexts(texts);
  const { categories: names } = useTexts(verdictTexts);
  const format = useFormat();
  const load = useLoad<FeedChanges>(`/admin/feeds/${encodeURIComponent(name)}/diff`);
  const entryText = ({ domain, service_name: title, category }: FeedChanges['added'][number]): string =>
    [domain, title, category && (names[category] ?? category)].filter(Boolean).join(' · ');
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 &&
    html`<section>
      <h3>${title}</h3>
      <ul class="diff mono" tabindex="0" aria-label=${title}>
        ${lines.slice(0, shownMax).map((line, i) => html`<li key=${i}>${line}</li>`)}
        ${lines.length > shownMax && html`<li>… (+${format.number(lines.length - shownMax)})</li>`}
      </ul>
    </section>`;
  return html`<${Loaded}
    load=${load}
    show=${({ added, removed, changed }: FeedChanges) => html`<div class="columns">
      ${list(words.added(format.number(added.length)), added.map(entryText))}
      ${list(
        words.changed(format.number(changed.length)),
        changed.map(({ before, after }) => `${entryText(before)} → ${entryText(after)}`),
      )}
      ${list(words.removed(format.number(removed.length)), removed.map(entryText))}
    </div>`}
  />`;
}
