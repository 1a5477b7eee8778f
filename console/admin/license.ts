/** The license of the gateway. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { License } from '../../gateway/api/routes/health.ts';
import { Button } from '../shared/button.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { Badge, Note } from '../shared/notes.ts';
import { useTexts } from '../shared/preferences.ts';
import { ProblemNote } from '../shared/problem-note.ts';
import { useToast } from '../shared/toast.ts';
import { useFormat } from './format.ts';
import { Loaded, useLoad } from './load.ts';
import { planTitle } from './plans.ts';
import { useApi } from './session.ts';

const texts = inBoth({
  title: ['License', 'ライセンス'],
  state: ['State', '状態'],
  valid: ['Valid', '有効'],
  expired: ['Expired', '期限切れ'],
  plan: ['Plan', 'プラン'],
  customer: ['Customer', '契約者'],
  mode: ['Source', '入手方法'],
  modes: {
    jwt: ['License key', 'ライセンスキー'],
    file: ['License file', 'ライセンスファイル'],
    evaluation: ['Created at the first start', '初回起動時に作成'],
  } as Record<string, Text>,
  until: ['Valid until', '有効期限'],
  refresh: ['Check again', '再確認'],
  checked: ['The license was checked', 'ライセンスを確認しました'],
  reported: ['The license was checked and the usage report sent', 'ライセンスを確認し、利用報告を送信しました'],
  evaluation: [
    'This is an evaluation license. It is not for production use.',
    '評価用ライセンスです。試用にのみ使えます。',
  ],
});

export function LicenseState(): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const api = useApi();
  const toast = useToast();
  const load = useLoad<License>('/admin/license');
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const refresh = async (): Promise<void> => {
    setBusy(true);
    const outcome = await api.post<{ readonly reported: boolean }>('/license/refresh');
    setBusy(false);
    setProblem(outcome.ok ? undefined : outcome.problem);
    if (outcome.ok) toast({ text: outcome.body.reported ? words.reported : words.checked });
    await load.reload();
  };
  return html`<${Loaded}
    load=${load}
    show=${(license: License) => html`<section class="card stack tight">
      <div class="card-head">
        <h2>${words.title}</h2>
        <${Button} isBusy=${isBusy} onClick=${() => void refresh()}>${words.refresh}</${Button}>
      </div>
      ${license.evaluation && html`<${Note} tone="warn"><p>${words.evaluation}</p></${Note}>`}
      ${problem && html`<${ProblemNote} problem=${problem} onRetry=${() => void refresh()} />`}
      <dl class="facts wide">
        <div>
          <dt>${words.state}</dt>
          <dd><${Badge} tone=${license.status === 'valid' ? 'good' : 'bad'}>${words[license.status]}</${Badge}></dd>
        </div>
        <div><dt>${words.plan}</dt><dd>${planTitle(license.plan)}</dd></div>
        ${!license.evaluation && html`<div><dt>${words.customer}</dt><dd>${license.customer}</dd></div>`}
        <div><dt>${words.mode}</dt><dd>${words.modes[license.mode] ?? license.mode}</dd></div>
        <div>
          <dt>${words.until}</dt>
          <dd>${format.date(license.expires_at)} <span class="quiet-text">${format.relative(license.expires_at)}</span></dd>
        </div>
      </dl>
    </section>`}
  />`;
}
