/** The policy's decision about an address. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { wordingIn } from '../../core/wording/names.ts';
import type { CheckAnswer } from '../../gateway/api/routes/shadow-ai.ts';
import { Button } from '../shared/button.ts';
import { TextField } from '../shared/field.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { Badge } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { usePreferences, useTexts } from '../shared/preferences.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { CodeView } from './code-view.ts';
import { JsonBlock } from './json-block.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  address: ['Address or host name', 'アドレスまたはホスト名'],
  hint: ['For example https://chatgpt.com/ or api.deepseek.com', '例：https://chatgpt.com/ または api.deepseek.com'],
  check: ['Check', '調べる'],
  incomplete: [
    'Enter a whole address, like chatgpt.com; a name without a dot is not checked.',
    'chatgpt.com のような完全なアドレスを入力してください。ドットのない名前は調べられません。',
  ],
  wholeAddress: [
    'To check a page, enter its whole address: https:// and the path.',
    'ページごとの判定を調べるには、https:// からパスまで入力してください。',
  ],
  admin: ['This call needs the admin key.', 'この呼び出しには管理者キーが必要です。'],
  actions: {
    allow: ['Allowed', '許可'],
    warn: ['Allowed with a warning', '警告付きで許可'],
    block: ['Blocked', 'ブロック'],
  } as Record<string, Text>,
  service: ['Service', 'サービス'],
  none: ['Not in the registry', '登録されていません'],
  category: ['Category', '区分'],
  categories: {
    approved: ['Approved', '承認'],
    monitoring: ['Monitoring', '監視'],
    blocked: ['Blocked', 'ブロック'],
  } as Record<string, Text>,
  host: ['Matched host', '一致したホスト'],
  rule: ['Rule', 'ルール'],
  reason: ['Reason', '理由'],
});

const tones = { allow: 'good', warn: 'warn', block: 'bad' } as const;

export function ServicesView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { sentence, rule } = wordingIn(usePreferences().language);
  const access = useAccess();
  const [address, setAddress] = useState('https://chatgpt.com/');
  const [answer, setAnswer] = useState<CheckAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const [isIncomplete, setIncomplete] = useState(false);
  const body = address.includes('/') ? { url: address.trim() } : { hostname: address.trim() };

  const run = async () => {
    const isWhole = /[./:]/.test(address);
    setIncomplete(!isWhole);
    setAnswer(undefined);
    if (isRunning || !isWhole) return;
    setRunning(true);
    setProblem(undefined);
    const outcome = await access.post<CheckAnswer>('/shadow-ai/check', body);
    setRunning(false);
    if (outcome.ok) setAnswer(outcome.body);
    else setProblem(outcome.problem);
  };
  return html`<${ViewHead} title=${shared.nav.services} about=${shared.about.services} />
    <div class="halves">
      <form
        class="card stack"
        onSubmit=${(event: Event) => {
          event.preventDefault();
          void run();
        }}
      >
        <${TextField}
          label=${words.address}
          hint=${words.hint}
          error=${isIncomplete ? words.incomplete : undefined}
          value=${address}
          onInput=${setAddress}
        />
        <div class="row">
          <${Button} kind="primary" icon="search" submits isBusy=${isRunning}>${words.check}</${Button}>
          ${access.key !== undefined && html`<span class="quiet-text">${words.admin}</span>`}
        </div>
        ${problem && html`<${CallProblem} problem=${problem} onRetry=${run} />`}
        ${
          answer &&
          html`<div class="stack" role="status">
            <p class="row">
              <${Badge} tone=${tones[answer.action]}>
                ${words.actions[answer.action] ?? answer.action}
              </${Badge}>
              ${sentence(answer.reason)}
            </p>
            ${answer.reason.startsWith('not decidable by host') && html`<p class="hint">${words.wholeAddress}</p>`}
            <dl class="facts">
              <dt>${words.service}</dt><dd>${answer.service?.service_name ?? words.none}</dd>
              <dt>${words.category}</dt><dd>${words.categories[answer.category ?? ''] ?? answer.category ?? '–'}</dd>
              <dt>${words.host}</dt><dd>${answer.matchedHost ?? '–'}</dd>
              <dt>${words.rule}</dt><dd>${rule(answer.rule)}</dd>
            </dl>
            <${JsonBlock} value=${answer} />
          </div>`
        }
      </form>
      <section class="card" aria-label=${shared.code}><${CodeView} path="/shadow-ai/check" body=${body} /></section>
    </div>`;
}
