/** The injection lab: shows the risk, categories and matches of a text. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { AllInjections } from '../../gateway/api/routes/injection.ts';
import { Button } from '../shared/button.ts';
import { Select, TextArea } from '../shared/field.ts';
import { html, useMemo, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { type Category, injectionTexts } from '../shared/injection-texts.ts';
import { Badge, EmptyState, type Tone } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { labelled, usePreferences, useTexts } from '../shared/preferences.ts';
import { Table } from '../shared/table.ts';
import { Tabs } from '../shared/tabs.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { CodeView } from './code-view.ts';
import { JsonBlock } from './json-block.ts';
import { type Mark, MarkedText } from './marked-text.ts';
import { SampleChips } from './sample-chips.ts';
import { injectionSamples } from './samples.ts';
import { useResultPlace } from './shown-result.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  check: ['Check', '検査する'],
  which: ['What to look for', '検査の対象'],
  kinds: {
    '/detect-all-injections': ['Both', '両方'],
    '/detect-injection': ['Instructions to a model', 'モデルへの指示'],
    '/detect-sql-injection': 'SQL',
  },
  sensitivity: ['Sensitivity', '感度'],
  levels: {
    low: ['Low: only clear cases', '低：明白なものだけ'],
    normal: ['Normal', '標準'],
    high: ['High: weak signals too', '高：弱い兆候も含む'],
  },
  risk: ['Risk', 'リスク'],
  found: ['Findings', '検出内容'],
  marked: ['Text with the matches', '根拠を示したテキスト'],
  nothing: ['Nothing was found in this text.', 'このテキストからは何も検出されませんでした。'],
  emptyTitle: ['Nothing has been checked yet', 'まだ検査していません'],
  empty: [
    'Choose a sample or write something, then press the button.',
    'サンプルを選ぶか文章を入力して、ボタンを押してください。',
  ],
  piece: ['Match', '該当箇所'],
  category: ['Category', '分類'],
  rule: ['Rule', 'ルール'],
  score: ['Score', 'スコア'],
  views: ['Ways to look at the result', '結果の表示方法'],
  matches: ['Matches', '一致した箇所'],
  free: ['Uses no credits.', 'クレジットは消費しません。'],
});

type Answer = Pick<AllInjections, 'categories' | 'risk' | 'matches'>;
type Risk = Answer['risk'];

const tones: Readonly<Record<Risk, Tone>> = { none: 'good', low: 'info', medium: 'warn', high: 'bad', critical: 'bad' };
const risks: readonly Risk[] = ['none', 'low', 'medium', 'high', 'critical'];
const paths = ['/detect-all-injections', '/detect-injection', '/detect-sql-injection'] as const;
type Path = (typeof paths)[number];
type View = 'found' | 'json' | 'code';

export function InjectionView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const access = useAccess();
  const { language } = usePreferences();
  const [text, setText] = useState(() => injectionSamples[language === 'ja' ? 1 : 0]?.text ?? '');
  const [path, setPath] = useState<Path>('/detect-all-injections');
  const [sensitivity, setSensitivity] = useState('normal');
  const [result, setResult] = useState<{
    readonly text: string;
    readonly answer: Answer;
    readonly tookMs: number;
  }>();
  const [problem, setProblem] = useState<Problem>();
  const place = useResultPlace(result, problem);
  const [isRunning, setRunning] = useState(false);
  const [view, setView] = useState<View>('found');

  const called = access.canCall(path) ? path : '/detect-all-injections';
  const body = { text, ...(sensitivity === 'normal' ? {} : { sensitivity }) };
  const run = async () => {
    if (isRunning) return;
    setRunning(true);
    setProblem(undefined);
    const outcome = await access.post<Answer>(called, body);
    setRunning(false);
    if (outcome.ok) setResult({ text, answer: outcome.body, tookMs: outcome.tookMs });
    else setProblem(outcome.problem);
  };
  const kinds = paths.filter((path) => access.canCall(path)).map((path) => [path, words.kinds[path]] as const);
  return html`<${ViewHead} title=${shared.nav.injection} about=${shared.about.injection} />
    <div class="halves">
      <section class="card stack" aria-label=${shared.text}>
        <${SampleChips} samples=${injectionSamples} current=${text} onChoose=${setText} />
        <${TextArea} label=${shared.text} rows=${9} value=${text} onInput=${setText} onRun=${run} hint=${words.free} />
        <div class="columns">
          <${Select} label=${words.which} value=${called} options=${kinds} onChange=${setPath} />
          <${Select} label=${words.sensitivity} value=${sensitivity} options=${Object.entries(words.levels)} onChange=${setSensitivity} />
        </div>
        <div class="row">
          <${Button} kind="primary" icon="flask" isBusy=${isRunning} isDisabled=${text === ''} onClick=${run}>${words.check}</${Button}>
          <${Button} kind="quiet" isDisabled=${text === ''} onClick=${() => setText('')}>${shared.clear}</${Button}>
          <kbd class="quiet-text">${shared.runHint}</kbd>
        </div>
      </section>
      <section class="card stack outcome" aria-label=${shared.result} ref=${place} aria-busy=${isRunning}>
        ${problem && html`<${CallProblem} problem=${problem} onRetry=${run} />`}
        <${Tabs} label=${words.views} current=${view} onSelect=${setView} tabs=${[
          { id: 'found', label: words.found },
          { id: 'json', label: shared.json },
          { id: 'code', label: shared.code },
        ]}>
          ${
            view === 'code'
              ? html`<${CodeView} path=${called} body=${body} />`
              : result === undefined
                ? html`<${EmptyState} icon="flask" title=${words.emptyTitle}><p>${words.empty}</p></${EmptyState}>`
                : view === 'json'
                  ? html`<${JsonBlock} value=${result.answer} />`
                  : html`<${Findings} ...${result} />`
          }
        </${Tabs}>
      </section>
    </div>`;
}

function Findings({
  text,
  answer,
  tookMs,
}: {
  readonly text: string;
  readonly answer: Answer;
  readonly tookMs: number;
}): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const names = useTexts(injectionTexts);
  const { language } = usePreferences();
  const categoryOf = (category: string): Category => names.categories[category] ?? [category, '', 0];
  const spans = useMemo(
    () =>
      groupsOf(answer.matches).map(({ start, end, category, rules, score }) => {
        const [title, about, hue] = categoryOf(category);
        const lines = [
          about,
          labelled(language, words.rule, rules.join(', ')),
          labelled(language, words.score, score.toFixed(2)),
        ];
        return { start, end, mark: { title, hue, lines } satisfies Mark };
      }),
    [answer, words, language],
  );
  return html`<div class="stack">
    <div class="row">
      <span>${words.risk}</span>
      <span class=${`meter ${tones[answer.risk]}`} aria-hidden="true">${risks
        .slice(1)
        .map((risk, i) => html`<span key=${risk} class=${i < risks.indexOf(answer.risk) ? 'full' : ''}></span>`)}</span>
      <strong class="risk">${names.risks[answer.risk]}</strong>
      <${Badge}>${shared.took(Math.round(tookMs))}</${Badge}>
    </div>
    ${
      answer.categories.length === 0
        ? html`<p>${words.nothing}</p>`
        : html`<ul class="findings">${[...new Set(answer.categories)].map((category) => {
            const [title, about, hue] = categoryOf(category);
            return html`<li key=${category}><span class="dot" style=${{ '--hue': String(hue) }} aria-hidden="true"></span>
              <span><strong>${title}</strong><br />${about}</span></li>`;
          })}</ul>`
    }
    <${MarkedText} label=${words.marked} text=${text} spans=${spans} />
    ${
      answer.matches.length > 0 &&
      html`<${Table}
        caption=${words.matches}
        rows=${groupsOf(answer.matches)}
        keyOf=${({ start, end, category }: Group) => `${start}-${end}-${category}`}
        columns=${[
          {
            id: 'piece',
            label: words.piece,
            show: ({ start, end }: Group) => html`<code>${shortened(text.slice(start, end))}</code>`,
          },
          { id: 'category', label: words.category, show: ({ category }: Group) => categoryOf(category)[0] },
          { id: 'rules', label: words.rule, show: ({ rules }: Group) => html`<code>${rules.join(', ')}</code>` },
          { id: 'score', label: words.score, align: 'end', show: ({ score }: Group) => score.toFixed(2) },
        ]}
      />`
    }
  </div>`;
}

/** Matches of one span and category as one row: all rules, the highest score. */
type Group = Omit<Answer['matches'][number], 'rule'> & { readonly rules: readonly string[] };

function groupsOf(matches: Answer['matches']): Group[] {
  const groups = Map.groupBy(matches, ({ start, end, category }) => `${start} ${end} ${category}`);
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const { category, start, end } = first;
    const score = Math.max(...members.map((match) => match.score));
    return [{ category, start, end, score, rules: [...new Set(members.map(({ rule }) => rule))] }];
  });
}

function shortened(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
