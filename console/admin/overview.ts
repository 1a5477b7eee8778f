/** Recent activity and the health of the gateway. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { Overview } from '../../gateway/api/routes/overview.ts';
import type { Stats } from '../../gateway/api/routes/stats.ts';
import { Chart } from '../shared/chart.ts';
import { type ComponentChildren, html, useEffect, useMemo, useState, type VNode } from '../shared/html.ts';
import { Icon, type IconName } from '../shared/icon.ts';
import { LongName } from '../shared/long-name.ts';
import { EmptyState, Note, type Tone } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { stored, usePreferences, useTexts } from '../shared/preferences.ts';
import { hrefOf } from '../shared/route.ts';
import { useFormat } from './format.ts';
import { useLabels } from './labels.ts';
import { Loaded, useLoad } from './load.ts';
import { planTitle } from './plans.ts';
import { SessionLink } from './session-link.ts';
import { verdictTexts } from './verdict.ts';

const spans = { '6h': 6 * 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000, '30d': 30 * 86_400_000 } as const;
type Span = keyof typeof spans;
/** Storage name of the selected period. */
const spanName = 'privet.span';
function keptSpan(): Span {
  const kept = stored.get(spanName) ?? '';
  return Object.hasOwn(spans, kept) ? (kept as Span) : '24h';
}
const refreshMs = 15_000;
const topMax = 8;
/** A warning is shown this many days before a certificate or license expires. */
const soonDays = 45;

const texts = inBoth({
  title: ['Overview', '概要'],
  about: ['How AI is used, and which data was masked.', 'AI サービスの利用状況と、社外に出さずに済んだ個人情報。'],
  span: ['Period', '表示期間'],
  spans: {
    '6h': ['6 hours', '6 時間'],
    '24h': ['24 hours', '24 時間'],
    '7d': ['7 days', '7 日間'],
    '30d': ['30 days', '30 日間'],
  },
  requests: ['Requests', 'リクエスト'],
  kept: ['Values masked', 'マスクした値'],
  keptAbout: ['replaced before sending', '送信前に置き換えた個人情報'],
  blocked: ['Blocked', 'ブロック'],
  blockedAbout: [(share: string) => `${share} of all requests`, (share: string) => `全リクエストの ${share}`],
  unregistered: ['To unregistered hosts', '未登録ホスト宛て'],
  unregisteredAbout: [
    (n: number) => (n === 1 ? '1 host looks like AI' : `${n} hosts look like AI`),
    (n: number) => `AI の可能性があるホスト ${n} 件`,
  ],
  noneFound: ['none look like AI', 'AI らしいものはありません'],
  ofUsers: [
    (n: number) => (n >= 20 ? 'by 20 users or more' : n === 1 ? 'by 1 user' : `by ${n} users`),
    (n: number) => (n >= 20 ? 'ユーザー 20 人以上' : `ユーザー ${n} 人`),
  ],
  decisions: ['Decisions', '判定'],
  services: ['Top services', '利用の多いサービス'],
  subjects: ['Top users', '利用の多いユーザー'],
  types: ['Personal data masked', 'マスクした個人情報'],
  typesEmpty: ['Nothing was masked in this period.', 'この期間にマスクしたものはありません。'],
  seen: ['Sent unmasked', 'マスクせずに送信'],
  seenEmpty: [
    'Nothing was sent to monitored services in this period.',
    'この期間に監視対象のサービスへ送られた個人情報はありません。',
  ],
  none: ['No requests in this period.', 'この期間のリクエストはありません。'],
  health: ['Health', '状態'],
  store: ['Store', 'ストア'],
  storeReady: [(kind: string) => `${kind}, reachable`, (kind: string) => `${kind}（接続中）`],
  storeAway: [(kind: string) => `${kind}, unreachable`, (kind: string) => `${kind}（接続できません）`],
  stores: { memory: ['In memory', 'メモリ'], sqlite: 'SQLite', redis: 'Redis', postgres: 'PostgreSQL' } as Record<
    string,
    Text
  >,
  replicas: ['Replicas', 'レプリカ'],
  live: [(n: number) => `${n} live`, (n: number) => `${n} 台稼働中`],
  ca: ['Certificate authority', '認証局'],
  until: [
    (date: string, days: string) => `until ${date} (${days} days)`,
    (date: string, days: string) => `${date} まで（残り\u00a0${days}\u00a0日）`,
  ],
  over: [(date: string) => `expired on ${date}`, (date: string) => `${date} に期限切れ`],
  license: ['License', 'ライセンス'],
  licenseOf: [
    (plan: string, state: string) => `${plan}, ${state}`,
    (plan: string, state: string) => `${plan}、${state}`,
  ],
  config: ['Configuration', '設定'],
  loadedAt: [(when: string) => `read ${when}`, (when: string) => `読み込み：${when}`],
  uptime: ['Uptime', '稼働時間'],
  version: [(version: string) => `version ${version}`, (version: string) => `バージョン ${version}`],
  warnings: ['The configuration has warnings', '設定に警告があります'],
  problems: [
    'The configuration has errors. The previous one is still in effect',
    '最後に読み込んだ設定に誤りがあるため、以前の設定が有効です',
  ],
  found: [
    (n: number) =>
      n === 1 ? '1 unregistered host looks like an AI service' : `${n} unregistered hosts look like AI services`,
    (n: number) => `AI サービスらしい未登録ホストが ${n} 件あります`,
  ],
  pins: [
    (n: number) =>
      n === 1 ? '1 pinned client is waiting for a decision' : `${n} pinned clients are waiting for a decision`,
    (n: number) => `証明書を固定しているクライアント ${n} 件が判断待ちです`,
  ],
  exceptions: [
    (n: number) => (n === 1 ? '1 exception request is open' : `${n} exception requests are open`),
    (n: number) => `例外の申請 ${n} 件が未回答です`,
  ],
  feeds: [
    (n: number) => (n === 1 ? '1 feed has a new version to approve' : `${n} feeds have a new version to approve`),
    (n: number) => `フィード ${n} 件の新しい版が承認待ちです`,
  ],
  first: [
    'Point a browser or program at the proxy, and its requests appear here within seconds.',
    'ブラウザやプログラムのプロキシをこのゲートウェイに向けると、数秒でここに表示されます。',
  ],
  firstHow: ['How to set up clients', 'クライアントの設定方法'],
  reports: ['Report', 'レポート'],
  reportsCsv: ['Report (CSV)', 'レポート（CSV）'],
  todo: ['To do', '対応が必要な項目'],
});

/** `onRange` is called with the start of the time range that a view shows. */
export type ViewProps = { readonly onRange: (from: string) => void };

export function OverviewView({ onRange }: ViewProps): VNode {
  const words = useTexts(texts);
  const { language } = usePreferences();
  const [span, setKeptSpan] = useState<Span>(keptSpan);
  const setSpan = (next: Span) => {
    stored.set(spanName, next);
    setKeptSpan(next);
  };
  // The start changes only with the period: a chart that moves at every refresh is hard to read.
  const from = useMemo(() => new Date(Math.floor((Date.now() - spans[span]) / 60_000) * 60_000).toISOString(), [span]);
  const state = useLoad<Overview>('/admin/overview', { everyMs: refreshMs });
  const stats = useLoad<Stats>(`/admin/stats?from=${encodeURIComponent(from)}`, { everyMs: refreshMs });
  // Counts start with a full hour or day, so the report and the events start with the same.
  const shownFrom = stats.body?.from;
  useEffect(() => {
    if (shownFrom !== undefined) onRange(shownFrom);
  }, [shownFrom, onRange]);
  const report = `/admin/report?from=${encodeURIComponent(shownFrom ?? from)}`;
  return html`<${ViewHead} title=${words.title} about=${words.about}>
      <div class="choice" role="group" aria-label=${words.span}>
        ${(Object.keys(spans) as Span[]).map(
          (
            option,
          ) => html`<button key=${option} type="button" aria-pressed=${option === span} onClick=${() => setSpan(option)}>
            ${words.spans[option]}
          </button>`,
        )}
      </div>
      <span class="row tight">
        <${SessionLink} href=${`${report}&format=html&lang=${language}`}>${words.reports}</${SessionLink}>
        <${SessionLink}
          href=${`${report}&format=csv`}
          download="privet-report.csv"
        >${words.reportsCsv}</${SessionLink}>
      </span>
    </${ViewHead}>
    ${state.body && html`<${Matters} state=${state.body} />`}
    <${Loaded} load=${stats} show=${(body: Stats) => html`<${Figures} stats=${body} state=${state.body} />`} />
    <${Loaded} load=${state} show=${(body: Overview) => html`<${Health} state=${body} />`} />`;
}

/** Items that need attention; nothing if all is well. */
function Matters({ state }: { readonly state: Overview }): VNode | null {
  const words = useTexts(texts);
  const { discovery, pins, feeds, exceptions, config } = state;
  const problems = config.problems ?? [];
  const sentence = useSaid(problems.length + config.warnings.length > 0);
  const list = (lines: readonly string[]) =>
    html`<ul class="details">${sentence && lines.slice(0, 8).map((line) => html`<li key=${line}>${sentence(line)}</li>`)}</ul>`;
  const todo = (
    [
      ['found', 'warn', discovery.proposed, words.found, hrefOf('discovery')],
      ['exceptions', 'warn', exceptions.open, words.exceptions, hrefOf('requests')],
      ['pins', 'info', pins.proposed, words.pins, hrefOf('discovery', { tab: 'pins' })],
      ['feeds', 'info', feeds.pending, words.feeds, hrefOf('system', { tab: 'feeds' })],
    ] as const
  ).filter(([, , count]) => count > 0);
  if (problems.length + config.warnings.length + todo.length === 0) return null;
  return html`<div class="stack tight">
    ${problems.length > 0 && html`<${Note} tone="bad" title=${words.problems}>${list(problems)}</${Note}>`}
    ${config.warnings.length > 0 && html`<${Note} tone="warn" title=${words.warnings}>${list(config.warnings)}</${Note}>`}
    ${
      todo.length > 0 &&
      html`<ul class="card matters" aria-label=${words.todo}>
        ${todo.map(
          ([key, tone, count, text, href]) => html`<li key=${key} class=${tone}>
            <${Icon} name=${tone === 'warn' ? 'warn' : 'info'} /><a href=${href}>${text(count)}</a>
          </li>`,
        )}
      </ul>`
    }
  </div>`;
}

const asItIs = (text: string) => text;

/** Translates messages of the gateway; undefined until the catalog is loaded, which only messages need. */
function useSaid(isNeeded: boolean): ((english: string) => string) | undefined {
  const isJapanese = usePreferences().language === 'ja';
  const [japanese, setJapanese] = useState<(english: string) => string>();
  useEffect(() => {
    if (!isJapanese || !isNeeded) return;
    import('../../core/wording/japanese-errors.ts').then(
      ({ errorInJapanese }) => setJapanese(() => errorInJapanese),
      () => setJapanese(() => asItIs),
    );
  }, [isJapanese, isNeeded]);
  return isJapanese ? japanese : asItIs;
}

type FiguresProps = { readonly stats: Stats; readonly state: Overview | undefined };

function Figures({ stats, state }: FiguresProps): VNode {
  const { from } = stats;
  const words = useTexts(texts);
  const { actions } = useTexts(verdictTexts);
  const format = useFormat();
  const labels = useLabels();
  const times = useMemo(() => stats.series.map(({ at }) => Date.parse(at)), [stats]);
  const series = useMemo(
    () =>
      [
        ['allow', '--good'],
        ['warn', '--warn'],
        ['block', '--bad'],
      ].map(([action = '', color = '']) => ({
        label: actions[action] ?? action,
        color,
        values: stats.series.map((point) => point[action as 'allow']),
      })),
    [stats, actions],
  );
  if (stats.requests === 0) {
    return html`<${EmptyState} icon="chart" title=${words.none}>
      <p>${words.first}</p>
      <p><a href=${hrefOf('system')}>${words.firstHow}</a></p>
    </${EmptyState}>`;
  }
  const found = state?.discovery.proposed ?? 0;
  const typeBars = (types: Stats['types']) =>
    types.map(({ type, count }) => ({ name: labels.type(type), count, href: hrefOf('events', { type, from }) }));
  const serviceBars = stats.services.map(({ service, requests }) => ({
    name: labels.service(service),
    count: requests,
    href: hrefOf('events', { service, from }),
  }));
  const subjectBars = stats.subjects.map(({ subject, requests }) => ({
    name: subject,
    count: requests,
    href: hrefOf('events', { subject, from }),
  }));
  const lists = [
    [words.services, words.none, undefined, serviceBars],
    [words.subjects, words.none, undefined, subjectBars],
    [words.types, words.typesEmpty, 'good', typeBars(stats.types)],
    [words.seen, words.seenEmpty, 'warn', typeBars(stats.types_seen)],
  ] as const;
  return html`<div class="tiles">
      <${Tile} icon="globe" label=${words.requests} value=${format.number(stats.requests)} about=${words.ofUsers(stats.subjects.length)} />
      <${Tile} icon="mask" tone="good" label=${words.kept} value=${format.number(stats.masked)} about=${words.keptAbout} />
      <${Tile}
        icon="close"
        tone=${stats.actions.block ? 'bad' : undefined}
        label=${words.blocked}
        value=${format.number(stats.actions.block ?? 0)}
        about=${words.blockedAbout(format.percent((stats.actions.block ?? 0) / stats.requests))}
      />
      <${Tile}
        icon="search"
        tone=${found > 0 ? 'warn' : undefined}
        label=${words.unregistered}
        value=${format.number(stats.unregistered)}
        about=${found > 0 ? words.unregisteredAbout(found) : words.noneFound}
      />
    </div>
    <section class="card">
      <${Chart} label=${words.decisions} times=${times} series=${series} heightPx=${240} />
    </section>
    <div class="quarters">
      ${lists.map(
        ([label, empty, tone, items]) => html`<section key=${label} class="card">
          <h2>${label}</h2>
          <${BarList} label=${label} empty=${empty} tone=${tone} items=${items.slice(0, topMax)} />
        </section>`,
      )}
    </div>`;
}

type TileProps = {
  readonly icon: IconName;
  readonly label: string;
  readonly value: ComponentChildren;
  readonly about: string;
  readonly tone?: Tone | undefined;
};

/** A large number. */
function Tile({ icon, label, value, about, tone }: TileProps): VNode {
  return html`<section class=${`tile card ${tone ?? ''}`}>
    <h2><${Icon} name=${icon} />${label}</h2>
    <div class="tile-value number">${value}</div>
    <p class="quiet-text">${about}</p>
  </section>`;
}

function Health({ state }: { readonly state: Overview }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const { store, ca, license, config } = state;
  const ends = (at: string): { readonly tone: Tone; readonly text: string } => {
    const days = format.daysUntil(at);
    if (days < 0) return { tone: 'bad', text: words.over(format.date(at)) };
    return { tone: days < soonDays ? 'warn' : 'good', text: words.until(format.date(at), format.number(days)) };
  };
  const caEnd = ends(ca.not_after);
  const licenseEnd = ends(license.expires_at);
  const problems = config.problems?.length ?? 0;
  const rows: readonly (readonly [string, Tone, ComponentChildren])[] = [
    [
      words.store,
      store.ready ? 'good' : 'bad',
      (store.ready ? words.storeReady : words.storeAway)(words.stores[store.kind] ?? store.kind),
    ],
    [words.replicas, 'good', words.live(state.replicas)],
    [words.ca, caEnd.tone, caEnd.text],
    [words.license, licenseEnd.tone, words.licenseOf(planTitle(license.plan), licenseEnd.text)],
    [
      words.config,
      problems > 0 ? 'bad' : config.warnings.length > 0 ? 'warn' : 'good',
      words.loadedAt(format.relative(config.loaded_at)),
    ],
    [words.uptime, 'good', format.list([format.duration(state.uptime_s), words.version(state.version)])],
  ];
  return html`<section class="card">
    <h2>${words.health}</h2>
    <dl class="facts">
      ${rows.map(
        ([label, tone, value]) => html`<div key=${label}>
          <dt>${label}</dt>
          <dd class=${tone}><${Icon} name=${tone === 'good' ? 'check' : 'warn'} /><span>${value}</span></dd>
        </div>`,
      )}
    </dl>
  </section>`;
}

type BarListProps = {
  readonly label: string;
  readonly items: readonly { readonly name: string; readonly count: number; readonly href?: string }[];
  readonly empty: ComponentChildren;
  readonly tone?: 'accent' | Tone;
};

function BarList({ label, items, empty, tone = 'accent' }: BarListProps): VNode {
  const format = useFormat();
  const most = Math.max(1, ...items.map(({ count }) => count));
  if (items.length === 0) return html`<p class="quiet-text">${empty}</p>`;
  return html`<ol class="bar-list" aria-label=${label}>
    ${items.map(
      ({ name, count, href }) => html`<li key=${href ?? name}>
        <span class="bar-name">${href === undefined ? name : html`<a href=${href}><${LongName} text=${name} /></a>`}</span>
        <span class="number">${format.number(count)}</span>
        <span class="bar-track" aria-hidden="true"
          ><span class=${`bar ${tone}`} style=${{ width: `${Math.max(1, (count / most) * 100)}%` }}></span
        ></span>
      </li>`,
    )}
  </ol>`;
}
