/** Previews the impact of a service change on recent requests. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { Impact } from '../../gateway/api/services-impact.ts';
import type { Action } from '../../policy/rule.ts';
import { html, useEffect, useState, type VNode } from '../shared/html.ts';
import type { Outcome } from '../shared/http.ts';
import { Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { actions, type ServiceChange } from './answers.ts';
import { plural, useFormat } from './format.ts';
import { useApi } from './session.ts';
import { Verdict } from './verdict.ts';

const quietMs = 350;

const texts = inBoth({
  title: ['What would change', '変更の影響'],
  asking: ['Checking recent requests…', '直近のリクエストを調べています…'],
  nothing: [
    (days: number) => `No requests went there in the last ${days} days.`,
    (days: number) => `直近 ${days} 日間に該当するリクエストはありません。`,
  ],
  same: [
    (requests: string, days: number) => `${plural(requests, 'request')} in the last ${days} days would not change.`,
    (requests: string, days: number) => `直近 ${days} 日間の ${requests} 件のリクエストの扱いは変わりません。`,
  ],
  changed: [
    (requests: string, subjects: string, days: number) =>
      `${plural(requests, 'request')} by ${plural(subjects, 'user')} in the last ${days} days would change.`,
    (requests: string, subjects: string, days: number) =>
      `直近 ${days} 日間では、${subjects} 人のユーザーの ${requests} 件のリクエストの扱いが変わります。`,
  ],
  sampled: ['Only the newest 20,000 events were checked.', '最新の 20,000 件のイベントだけを調べました。'],
  from: ['Now', '現在'],
  to: ['New', '変更後'],
  requests: [(n: string) => plural(n, 'request'), (n: string) => `${n} 件`],
  unknown: ['The impact cannot be determined right now.', '現在、影響を調べられません。'],
});

/** The input of `POST /admin/services/impact`. */
export type ImpactWish = {
  readonly ids?: readonly string[];
  readonly domain?: string;
  readonly change: ServiceChange | null;
};

/** Loads once the change has been stable for a moment; null loads nothing. */
export function ImpactNote({ wish }: { readonly wish: ImpactWish | null }): VNode | null {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const [outcome, setOutcome] = useState<Outcome<Impact>>();
  const asked = JSON.stringify(wish);
  useEffect(() => {
    setOutcome(undefined);
    if (wish === null) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const next = await api.post<Impact>('/admin/services/impact', wish, { isReadOnly: true });
      if (isCurrent) setOutcome(next);
    }, quietMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked]);
  if (wish === null) return null;
  if (outcome === undefined) return html`<${Note} title=${words.title}><p role="status">${words.asking}</p></${Note}>`;
  // The form reports invalid fields on saving.
  if (!outcome.ok) {
    const { problem } = outcome;
    const why = problem.kind === 'invalid' || problem.kind === 'conflict' ? problem.message : words.unknown;
    return html`<${Note} tone="warn" title=${words.title}><p>${why}</p></${Note}>`;
  }
  const { requests, changed, days, by_action: byAction, examples, sampled } = outcome.body;
  const sentence =
    requests === 0
      ? words.nothing(days)
      : changed.requests === 0
        ? words.same(format.number(requests), days)
        : words.changed(format.number(changed.requests), format.number(changed.subjects), days);
  const counts = (side: Readonly<Record<Action, number>>) =>
    actions
      .filter((action) => side[action] > 0)
      .map(
        (action) =>
          html`<span
            key=${action}
            class="row tight"
          ><${Verdict} action=${action} /><span class="number">${format.number(side[action])}</span></span>`,
      );
  /** `allow (mask)` */
  const said = (text: string) => {
    const [action, inspect] = text.split(/[ ()]+/);
    return html`<${Verdict} action=${action} inspect=${inspect} />`;
  };
  return html`<${Note} tone=${changed.requests > 0 ? 'warn' : 'info'} title=${words.title}>
    <p role="status">${sentence}</p>
    ${
      changed.requests > 0 &&
      html`<dl class="before-after">
          <div><dt>${words.from}</dt><dd class="row">${counts(byAction.before)}</dd></div>
          <div><dt>${words.to}</dt><dd class="row">${counts(byAction.after)}</dd></div>
        </dl>
        <ul class="examples">
          ${examples.slice(0, 5).map(
            ({ host, subject, requests, before, after }) => html`<li key=${host + subject}>
              <span><span class="mono">${host}</span> · ${subject} · ${words.requests(format.number(requests))}</span>
              <span class="change">${said(before)} → ${said(after)}</span>
            </li>`,
          )}
        </ul>`
    }
    ${sampled && html`<p class="quiet-text">${words.sampled}</p>`}
  </${Note}>`;
}
