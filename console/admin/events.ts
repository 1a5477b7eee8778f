/** The audit trail, live and past: user, host and decision, never a value or a body. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, hrefOf, useRoute } from '../shared/route.ts';
import { Table } from '../shared/table.ts';
import type { AuditEvent } from './answers.ts';
import { countsText, EventDialog, EventVerdict } from './event-dialog.ts';
import { FilterForm, type Filters, filtersOf } from './event-filters.ts';
import { useFormat } from './format.ts';
import { useLabels } from './labels.ts';
import { Loaded, useLoad } from './load.ts';
import { SessionLink } from './session-link.ts';
import { columnsOf } from './table-card.ts';
import { useTail } from './tail.ts';

const pageSize = 50;

const texts = inBoth({
  title: ['Events', 'イベント'],
  about: [
    'Every decision of the gateway. Personal data is counted by type; values and texts are never stored.',
    'ゲートウェイのすべての判定です。個人情報は種類ごとの件数だけを記録し、値や本文は保存しません。',
  ],
  live: ['Live', 'ライブ'],
  liveOn: ['New events appear as they happen', '新しいイベントを順次表示しています'],
  liveLost: ['Connection lost. Reconnecting…', 'ライブ表示の接続が切れました。再接続しています…'],
  waiting: ['Waiting for the next event…', '次のイベントを待っています…'],
  waitingHow: [
    'Requests through the proxy appear here if they match the filters.',
    '条件に合うリクエストがプロキシを通ると、ここに表示されます。',
  ],
  paused: ['History', '履歴'],
  mode: ['What is shown', '表示'],
  csv: 'CSV',
  json: 'JSON',
  export: [(format: string) => `Export ${format}`, (format: string) => `${format} をエクスポート`],
  exportAbout: ['All events that match the filters', '条件に合うすべてのイベント'],
  subject: ['User', 'ユーザー'],
  host: ['Host', 'ホスト'],
  service: ['Service', 'サービス'],
  time: ['Time', '時刻'],
  decision: ['Decision', '判定'],
  found: ['Personal data', '個人情報'],
  status: ['Status', 'ステータス'],
  empty: ['No event matches the filters.', '条件に合うイベントはありません。'],
  emptyHow: [
    'Users, hosts and services match only in full. Clear a filter, or choose a longer period.',
    'ユーザー、ホスト、サービスは完全に一致するものだけを表示します。条件を減らすか、期間を長くしてください。',
  ],
  emptyAll: ['No events yet.', 'まだイベントがありません。'],
  emptyAllHow: [
    'Point a browser or program at the proxy; its requests appear here within seconds.',
    'ブラウザやプログラムのプロキシをこのゲートウェイに向けると、数秒でここに表示されます。',
  ],
  setup: ['How to set up clients', 'クライアントの設定方法'],
  newer: ['Newest', '最新'],
  older: ['Older', '次のページ'],
  more: ['Details', '詳細'],
  page: ['Pages', 'ページ'],
});

export function EventsView(): VNode {
  const words = useTexts(texts);
  const { query } = useRoute('events');
  const filters = filtersOf(query);
  const isLive = query.get('live') === '1';
  const [shown, setShown] = useState<AuditEvent>();
  const show = (next: Filters, live: boolean) => goTo('events', { ...next, ...(live ? { live: '1' } : {}) });
  const search = new URLSearchParams(filters).toString();
  return html`<${ViewHead} title=${words.title} about=${words.about}>
      <div class="choice" role="group" aria-label=${words.mode}>
        <button type="button" aria-pressed=${!isLive} onClick=${() => show(filters, false)}>${words.paused}</button>
        <button type="button" aria-pressed=${isLive} onClick=${() => show(filters, true)}>${words.live}</button>
      </div>
      <span class="row tight" role="group" aria-label=${words.exportAbout}>
        ${(['csv', 'json'] as const).map(
          (format) =>
            html`<${SessionLink}
              key=${format}
              download=${`events.${format}`}
              title=${words.exportAbout}
              href=${`/admin/events/export?${search}${search && '&'}format=${format}`}
            >${words.export(words[format])}</${SessionLink}>`,
        )}
      </span>
    </${ViewHead}>
    <${FilterForm} filters=${filters} onApply=${(next: Filters) => show(next, isLive)} isLive=${isLive} />
    ${
      isLive
        ? html`<${LiveEvents} key=${search} filters=${filters} onShow=${setShown} />`
        : html`<${EventHistory} key=${search} search=${search} onShow=${setShown} />`
    }
    ${shown && html`<${EventDialog} event=${shown} onClose=${() => setShown(undefined)} />`}`;
}

type ShowEvent = { readonly onShow: (event: AuditEvent) => void };

function EventHistory({ search, onShow }: ShowEvent & { readonly search: string }): VNode {
  const words = useTexts(texts);
  /** The cursors of the previous pages; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const path = `/admin/events?limit=${pageSize}${search && `&${search}`}${from}`;
  const load = useLoad<{ readonly events: readonly AuditEvent[]; readonly next?: string }>(path);
  return html`<${Loaded} load=${load} show=${({
    events,
    next,
  }: {
    events: readonly AuditEvent[];
    next?: string;
  }) => html`
    <section class="card">
      <${EventTable}
        events=${events}
        onShow=${onShow}
        empty=${
          search === ''
            ? html`<${EmptyState} icon="list" title=${words.emptyAll}>
                <p>${words.emptyAllHow}</p>
                <p><a href=${hrefOf('system')}>${words.setup}</a></p>
              </${EmptyState}>`
            : html`<${EmptyState} icon="search" title=${words.empty}><p>${words.emptyHow}</p></${EmptyState}>`
        }
      />
      ${
        (next !== undefined || cursors.length > 0) &&
        html`<nav class="row pager" aria-label=${words.page}>
          <${Button} isDisabled=${cursors.length === 0} onClick=${() => setCursors([])}>${words.newer}</${Button}>
          <${Button}
            isDisabled=${next === undefined}
            isBusy=${load.isLoading}
            onClick=${() => next !== undefined && setCursors([...cursors, next])}
          >${words.older}</${Button}>
          <span class="quiet-text number">${cursors.length + 1}</span>
        </nav>`
      }
    </section>`} />`;
}

function LiveEvents({ filters, onShow }: ShowEvent & { readonly filters: Filters }): VNode {
  const words = useTexts(texts);
  const { from: _from, to: _to, ...live } = filters;
  const { events, state, problem, retry } = useTail(`/admin/events/tail?${new URLSearchParams(live)}`);
  if (problem !== undefined) {
    return html`<${Loaded} load=${{ body: undefined, problem, isLoading: false, reload: retry }} show=${() => null} />`;
  }
  return html`<section class="card">
    <p class="live-state" role="status"
      ><span class=${`live-dot ${state}`} aria-hidden="true"></span>${state === 'lost' ? words.liveLost : words.liveOn}</p
    >
    <${EventTable}
      events=${events}
      onShow=${onShow}
      empty=${html`<${EmptyState} icon="play" title=${words.waiting}><p>${words.waitingHow}</p></${EmptyState}>`}
    />
  </section>`;
}

type EventTableProps = ShowEvent & { readonly events: readonly AuditEvent[]; readonly empty: VNode };

function EventTable({ events, onShow, empty }: EventTableProps): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const labels = useLabels();
  const columns = columnsOf(words, {
    time: ({ ts }: AuditEvent) => html`<time datetime=${ts} class="number when">${format.time(ts)}</time>`,
    decision: (event) => html`<${EventVerdict} event=${event} />`,
    subject: ({ subject }) => html`<${LongName} text=${subject} />`,
    host: ({ host }) => html`<span class="mono"><${LongName} text=${host ?? '–'} /></span>`,
    service: ({ service }) =>
      service === null
        ? '–'
        : html`<a href=${hrefOf('services', { q: labels.service(service) })}><${LongName} text=${labels.service(service)} /></a>`,
    found: ({ piiTypes }) => countsText(piiTypes, format, labels),
    status: { align: 'end', show: ({ status }) => status || '–' },
    more: {
      isLabelHidden: true,
      show: (event) => html`<${Button} isSmall kind="quiet" onClick=${() => onShow(event)}>${words.more}</${Button}>`,
    },
  });
  return html`<${Table}
    caption=${words.title}
    columns=${columns}
    rows=${events}
    keyOf=${keyOf}
    empty=${empty}
  />`;
}

const keyOf = (event: AuditEvent): string => `${event.requestId ?? ''}${event.ts}${event.host}`;
