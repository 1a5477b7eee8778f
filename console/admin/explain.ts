/** The decision for an address, with every evaluated rule. */

import { capitalized } from '../../core/wording/capitalized.ts';
import { inBoth } from '../../core/wording/in-both.ts';
import type { ExplainAnswer } from '../../gateway/api/routes/admin.ts';
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useEffect, useState, type VNode } from '../shared/html.ts';
import type { Outcome, Problem } from '../shared/http.ts';
import { Icon } from '../shared/icon.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { useSentences } from '../shared/sentences.ts';
import { useFormat } from './format.ts';
import { useLabels } from './labels.ts';
import { useApi } from './session.ts';
import { CategoryBadge, Verdict, verdictTexts } from './verdict.ts';

const texts = inBoth({
  url: ['Address', 'アドレス'],
  urlHint: ['A URL or a host name.', 'URL またはホスト名。'],
  user: ['User', 'ユーザー'],
  groups: ['Groups', 'グループ'],
  groupsHint: ['Separated by commas.', 'カンマ区切り。'],
  from: ['Client address', 'IP アドレス'],
  run: ['Explain', '判定を調べる'],
  decision: ['Decision', '判定'],
  reason: ['Reason', '理由'],
  rule: ['Decided by', '適用されたルール'],
  service: ['Service', 'サービス'],
  noService: ['Not in the registry', '登録されたサービスではありません'],
  tried: ['Evaluated in this order', '評価の順序'],
  yes: ['matches', '一致'],
  no: ['does not match', '不一致'],
  needed: ['Enter an address.', 'アドレスを入力してください。'],
});

export function Explain({ url: firstUrl, user: firstUser }: { readonly url: string; readonly user: string }): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const [url, setUrl] = useState(firstUrl);
  const [user, setUser] = useState(firstUser);
  const [groups, setGroups] = useState('');
  const [from, setFrom] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome<ExplainAnswer>>();
  const run = async (): Promise<void> => {
    setError(url.trim() === '' ? words.needed : undefined);
    if (url.trim() === '') return;
    setBusy(true);
    const asked = Object.entries({ url, user, groups, from }).filter(([, value]) => value.trim() !== '');
    const query = new URLSearchParams(asked.map(([name, value]) => [name, value.trim()]));
    const next = await api.get<ExplainAnswer>(`/admin/explain?${query}`);
    const wrong = next.ok ? undefined : faultOf(next.problem, 'url');
    setError(wrong);
    setOutcome(wrong === undefined ? next : undefined);
    setBusy(false);
  };
  useEffect(() => {
    if (firstUrl !== '') void run();
  }, []);
  return html`<div class="stack">
    <form
      class="card filters by-address"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        void run();
      }}
    >
      <${TextField}
        label=${words.url}
        hint=${words.urlHint}
        error=${error}
        placeholder="https://chatgpt.com/"
        isMono
        value=${url}
        onInput=${setUrl}
      />
      <${TextField} label=${words.user} value=${user} onInput=${setUser} />
      <${TextField} label=${words.groups} hint=${words.groupsHint} value=${groups} onInput=${setGroups} />
      <${TextField} label=${words.from} placeholder="10.1.2.3" isMono value=${from} onInput=${setFrom} />
      <div class="row filter-buttons"><${Button} kind="primary" submits isBusy=${isBusy}>${words.run}</${Button}></div>
    </form>
    <div aria-live="polite">
      ${
        outcome &&
        (outcome.ok
          ? html`<${Explanation} answer=${outcome.body} />`
          : html`<${ProblemNote}
            problem=${outcome.problem}
            onRetry=${() => void run()}
          />`)
      }
    </div>
  </div>`;
}

/** The server's message about a field. */
function faultOf({ details }: Problem, name: string): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const fault = (details as { field?: string; message?: string }[]).find(({ field }) => field === name);
  return fault?.message && capitalized(fault.message);
}

function Explanation({ answer: { decision, tried, service } }: { readonly answer: ExplainAnswer }): VNode {
  const words = useTexts(texts);
  const { sentence, rule: nameOf } = useSentences();
  const labels = useLabels();
  const format = useFormat();
  const { categories } = useTexts(verdictTexts);
  const labelOf = { kinds: labels.kind, categories: (category: string) => categories[category] ?? category };
  /** Why a step matched or not, with labels for codes and local times. */
  const said = (why: string): string => {
    const [, what, code = ''] = /^(kinds|categories): no match \((.+)\)$/.exec(why) ?? [];
    if (what !== undefined) return sentence(`${what}: no match (${labelOf[what as keyof typeof labelOf](code)})`);
    return sentence(why.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/, format.time));
  };
  return html`<section class="card stack">
    <dl class="facts wide">
      <div><dt>${words.decision}</dt><dd><${Verdict} action=${decision.action} inspect=${decision.inspect} /></dd></div>
      <div><dt>${words.reason}</dt><dd>${sentence(decision.reason)}</dd></div>
      <div><dt>${words.rule}</dt><dd>${nameOf(decision.rule)}</dd></div>
      <div>
        <dt>${words.service}</dt>
        <dd>
          ${
            service === null
              ? words.noService
              : html`<span class="row tight">
                  ${service.service_name} <span class="mono">${service.domain}</span>
                  <${CategoryBadge} category=${service.category} />
                </span>`
          }
        </dd>
      </div>
    </dl>
    <div>
      <h2>${words.tried}</h2>
      <ol class="tried">
        ${tried.map(
          ({ rule, matched, why }, i) => html`<li key=${i} class=${matched ? 'matched' : ''}>
            <${Icon} name=${matched ? 'check' : 'close'} />
            <span>
              <strong>${nameOf(rule)}</strong> <span class="unseen">${matched ? words.yes : words.no}: </span>
              <span class="quiet-text">${said(why)}</span>
            </span>
          </li>`,
        )}
      </ol>
    </div>
  </section>`;
}
