/** The audit trail: live, and as history by page. It shows who, where and what was decided; never a value or a body. */
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo, hrefOf, useRoute } from '../shared/route.ts';
import { type Column, Table } from '../shared/table.ts';
import type { AuditEvent } from './answers.ts';
import { FilterForm, type Filters, filtersOf } from './event-filters.ts';
import { type Format, useFormat } from './format.ts';
import { type Labels, useLabels } from './labels.ts';
import { Loaded, useLoad } from './load.ts';
import { SessionLink } from './session-link.ts';
import { useTail } from './tail.ts';
import { Verdict, verdictTexts } from './verdict.ts';

const pageSize = 50;

const texts = {
  en: {
    title: 'Events',
    about: 'Every decision of the gateway. Personal data is counted by type; values and texts are never stored.',
    live: 'Live',
    liveOn: 'New events appear as they happen',
    liveLost: 'Connection lost. Reconnecting…',
    waiting: 'Waiting for the next event…',
    paused: 'History',
    mode: 'What is shown',
    csv: 'CSV',
    json: 'JSON',
    export: 'Export',
    exportAbout: 'All events that match the filters',
    subject: 'User',
    host: 'Host',
    service: 'Service',
    time: 'Time',
    decision: 'Decision',
    found: 'Personal data',
    status: 'Status',
    empty: 'No event matches the filters.',
    emptyHow: 'Clear a filter, or choose a longer period.',
    emptyAll: 'No events yet.',
    emptyAllHow: 'Point a browser or program at the proxy; its requests appear here within seconds.',
    setup: 'How to set up clients',
    newer: 'Newest',
    older: 'Older',
    more: 'Details',
    details: 'Event',
    close: 'Close',
    explain: 'Why this decision?',
    page: 'Pages',
    yes: 'yes',
    no: 'no',
    names: {
      ts: 'Time',
      requestId: 'Request ID',
      subject: 'User',
      agent: 'Program',
      mcpServers: 'MCP servers',
      tools: 'Tools called',
      toolFindings: 'Findings in tools',
      injection: 'Prompt injection',
      clientAddress: 'Client address',
      kind: 'Kind',
      host: 'Host',
      port: 'Port',
      service: 'Service',
      category: 'Category',
      action: 'Decision',
      inspect: 'Inspection',
      rule: 'Rule',
      reason: 'Reason',
      method: 'Method',
      status: 'Status',
      bytesIn: 'Bytes from the client',
      bytesOut: 'Bytes to the client',
      durationMs: 'Duration (ms)',
      intercepted: 'Decrypted',
      piiTypes: 'Personal data',
      masked: 'Masked',
      restored: 'Restored',
      unresolved: 'Tokens not restored',
      error: 'Error',
      groups: 'Groups',
      justification: 'Reason given by the user',
      wouldAction: 'Report-only rule would have',
      wouldRule: 'Report-only rule',
    } as Record<string, string>,
    kinds: {
      request: 'Request',
      tunnel: 'Tunnel',
      websocket: 'WebSocket',
      connect: 'Connection',
      acknowledgement: 'Confirmation by the user',
      bypass: 'Bypass proposal',
    } as Record<string, string>,
  },
  ja: {
    title: 'イベント',
    about: 'ゲートウェイのすべての判定です。個人情報は種類ごとの件数だけを記録し、値や本文は保存しません。',
    live: 'ライブ',
    liveOn: '新しいイベントを順次表示しています',
    liveLost: 'ライブ表示の接続が切れました。再接続しています…',
    waiting: '次のイベントを待っています…',
    paused: '履歴',
    mode: '表示',
    csv: 'CSV',
    json: 'JSON',
    export: 'エクスポート',
    exportAbout: '条件に合うすべてのイベント',
    subject: 'ユーザー',
    host: 'ホスト',
    service: 'サービス',
    time: '時刻',
    decision: '判定',
    found: '個人情報',
    status: 'ステータス',
    empty: '条件に合うイベントはありません。',
    emptyHow: '条件を減らすか、期間を長くしてください。',
    emptyAll: 'まだイベントがありません。',
    emptyAllHow: 'ブラウザやプログラムのプロキシをこのゲートウェイに向けると、数秒でここに表示されます。',
    setup: 'クライアントの設定方法',
    newer: '最新',
    older: '次のページ',
    more: '詳細',
    details: 'イベント',
    close: '閉じる',
    explain: '判定の理由',
    page: 'ページ',
    yes: 'はい',
    no: 'いいえ',
    names: {
      ts: '時刻',
      requestId: 'リクエスト ID',
      subject: 'ユーザー',
      agent: 'プログラム',
      mcpServers: 'MCP サーバー',
      tools: '呼び出したツール',
      toolFindings: 'ツールの検出結果',
      injection: 'プロンプトインジェクション',
      clientAddress: 'クライアント',
      host: 'ホスト',
      port: 'ポート',
      service: 'サービス',
      category: '区分',
      action: '判定',
      inspect: '検査',
      rule: 'ルール',
      reason: '理由',
      method: 'メソッド',
      status: 'ステータス',
      kind: '形式',
      bytesIn: 'クライアントからのバイト数',
      bytesOut: 'クライアントへのバイト数',
      unresolved: '復元できなかったトークン',
      durationMs: '所要時間（ms）',
      intercepted: '復号',
      piiTypes: '個人情報',
      masked: 'マスク',
      restored: '復元',
      error: 'エラー',
      groups: 'グループ',
      justification: 'ユーザーが入力した理由',
      wouldAction: '記録のみのルールによる判定',
      wouldRule: '記録のみのルール',
    } as Record<string, string>,
    kinds: {
      request: 'リクエスト',
      tunnel: 'トンネル',
      websocket: 'WebSocket',
      connect: '接続',
      acknowledgement: 'ユーザーによる確認',
      bypass: '検査除外の提案',
    } as Record<string, string>,
  },
};

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
      <span class="row" role="group" aria-label=${`${words.export}: ${words.exportAbout}`}>
        ${(['csv', 'json'] as const).map(
          (format) =>
            html`<${SessionLink} key=${format} download=${`events.${format}`} title=${words.exportAbout} href=${`/admin/events/export?${search}${search && '&'}format=${format}`}>${words.export} ${words[format]}</${SessionLink}>`,
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
  /** The cursors of the pages before this one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const path = `/admin/events?limit=${pageSize}${search && `&${search}`}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
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
      empty=${html`<${EmptyState} icon="play" title=${words.waiting} />`}
    />
  </section>`;
}

type EventTableProps = ShowEvent & { readonly events: readonly AuditEvent[]; readonly empty: VNode };

function EventTable({ events, onShow, empty }: EventTableProps): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const labels = useLabels();
  const columns = columnsOf({ words, format, labels, onShow });
  return html`<${Table}
    caption=${words.title}
    columns=${columns}
    rows=${events}
    keyOf=${keyOf}
    empty=${empty}
  />`;
}

const keyOf = (event: AuditEvent): string => `${event.requestId ?? ''}${event.ts}${event.host}`;

function columnsOf({
  words,
  format,
  labels,
  onShow,
}: ShowEvent & {
  readonly words: (typeof texts)['en'];
  readonly format: Format;
  readonly labels: Labels;
}): readonly Column<AuditEvent>[] {
  return [
    {
      id: 'time',
      label: words.time,
      show: ({ ts }) => html`<time datetime=${ts} class="number when">${format.time(ts)}</time>`,
    },
    {
      id: 'decision',
      label: words.decision,
      show: (event) => html`<${Verdict} action=${actionOf(event)} inspect=${event.inspect} />`,
    },
    { id: 'subject', label: words.subject, show: ({ subject }) => html`<${LongName} text=${subject} />` },
    {
      id: 'host',
      label: words.host,
      show: ({ host }) => html`<span class="mono"><${LongName} text=${host ?? '–'} /></span>`,
    },
    {
      id: 'service',
      label: words.service,
      show: ({ service }) =>
        service === null
          ? '–'
          : html`<a href=${hrefOf('services', { q: labels.service(service) })}><${LongName} text=${labels.service(service)} /></a>`,
    },
    { id: 'found', label: words.found, show: ({ piiTypes }) => countsText(piiTypes, format, labels) },
    { id: 'status', label: words.status, align: 'end', show: ({ status }) => status || '–' },
    {
      id: 'more',
      label: words.more,
      isLabelHidden: true,
      show: (event) => html`<${Button} isSmall kind="quiet" onClick=${() => onShow(event)}>${words.more}</${Button}>`,
    },
  ];
}

/** What the gateway did. An allowed request that it could not send was refused; a note is neither. */
function actionOf({ action, kind, error, status = 0 }: AuditEvent): string {
  if (kind === 'bypass') return 'noted';
  if (kind === 'acknowledgement') return 'confirmed';
  return error !== undefined && status >= 400 && status < 500 && action !== 'block' ? 'none' : action;
}

/** `E-mail address × 2, Telephone number` */
function countsText(counts: AuditEvent['piiTypes'], format: Format, labels: Labels): string {
  const found = Object.entries(counts ?? {});
  return found.length === 0
    ? '–'
    : found
        .map(([type, count]) => (count === 1 ? labels.type(type) : `${labels.type(type)} × ${format.number(count)}`))
        .join(', ');
}

/** What one wants to know comes first: what happened to whom and why, then what was found, then the technical rest. */
const order = [
  ...['ts', 'action', 'subject', 'groups', 'service', 'host', 'reason', 'rule', 'category', 'inspect', 'error'],
  ...['piiTypes', 'masked', 'restored', 'unresolved', 'injection', 'toolFindings', 'justification'],
  ...['wouldAction', 'wouldRule', 'agent', 'mcpServers', 'tools'],
  ...['status', 'method', 'kind', 'port', 'durationMs', 'bytesIn', 'bytesOut', 'intercepted', 'clientAddress'],
];

/** Where a zero says that there was nothing to count. */
const isZeroNothing = new Set(['status', 'bytesIn', 'bytesOut', 'durationMs', 'unresolved']);

/** The fields of an event in their order; the number of the request, which only a log search needs, is the last. */
function ordered(event: AuditEvent): [name: string, value: unknown][] {
  const rank = (name: string) => (name === 'requestId' ? 1_000 : order.includes(name) ? order.indexOf(name) : 500);
  return Object.entries(event)
    .filter(([name, value]) => {
      if (value === null || value === undefined || value === '') return false;
      return !(Array.isArray(value) && value.length === 0) && !(value === 0 && isZeroNothing.has(name));
    })
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** `high · role-override · prompt · reported` */
function injectionText({ risk, categories, place, answer }: NonNullable<AuditEvent['injection']>): string {
  return [risk, categories.join(', '), place, answer].filter(Boolean).join(' · ');
}

function EventDialog({ event, onClose }: { readonly event: AuditEvent; readonly onClose: () => void }): VNode {
  const words = useTexts(texts);
  const verdicts = useTexts(verdictTexts);
  const format = useFormat();
  const labels = useLabels();
  const shown = (name: string, value: unknown): unknown => {
    if (name === 'ts') return format.time(String(value));
    if (name === 'action') return html`<${Verdict} action=${actionOf(event)} />`;
    if (name === 'kind') return words.kinds[String(value)] ?? String(value);
    if (name === 'injection') return injectionText(value as NonNullable<AuditEvent['injection']>);
    if (name === 'toolFindings') {
      return html`<ul>
        ${(value as NonNullable<AuditEvent['toolFindings']>).map(({ tool, kind, answer }, i) => html`<li key=${i}>${[tool, kind, answer].join(' · ')}</li>`)}
      </ul>`;
    }
    if (name === 'wouldAction') return html`<${Verdict} action=${String(value)} />`;
    if (name === 'piiTypes') return countsText(value as AuditEvent['piiTypes'], format, labels);
    if (name === 'service') return labels.service(String(value));
    if (name === 'category') return verdicts.categories[String(value)] ?? String(value);
    if (name === 'inspect') return verdicts.inspects[String(value)] ?? String(value);
    if (name === 'intercepted') return value === true ? words.yes : words.no;
    if (Array.isArray(value)) return value.join(', ');
    if (name === 'port' || name === 'status') return String(value);
    if (name === 'error') return String(value).replaceAll('_', ' ');
    return typeof value === 'number' ? format.number(value) : String(value);
  };
  return html`<${Dialog}
    title=${words.details}
    onClose=${onClose}
    actions=${html`<a class="button" href=${hrefOf('policy', { tab: 'explain', url: event.host ?? '', user: event.subject })} onClick=${onClose}
        >${words.explain}</a
      ><${Button} kind="primary" onClick=${onClose}>${words.close}</${Button}>`}
  >
    <dl class="facts wide">
      ${ordered(event).map(
        ([name, value]) =>
          html`<div key=${name}><dt>${words.names[name] ?? name}</dt><dd>${shown(name, value)}</dd></div>`,
      )}
    </dl>
  </${Dialog}>`;
}
