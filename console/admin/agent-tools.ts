/** Tools with their pinned definitions; changes are shown before they are approved. */

import { prettyJson } from '../../core/parsing.ts';
import { inBoth, type Text } from '../../core/wording/in-both.ts';
import type { Tool } from '../../gateway/api/routes/agents.ts';
import { Button } from '../shared/button.ts';
import { Dialog } from '../shared/dialog.ts';
import { html, useState, type VNode } from '../shared/html.ts';
import { LongName } from '../shared/long-name.ts';
import { Badge, CodeBlock, EmptyState, Note } from '../shared/notes.ts';
import { usePages } from '../shared/pager.ts';
import { useTexts } from '../shared/preferences.ts';
import { type Format, useFormat } from './format.ts';
import { useLoad, useSend } from './load.ts';
import { useApi } from './session.ts';
import { columnsOf, TableCard } from './table-card.ts';

const texts = inBoth({
  caption: ['Tools', 'ツール'],
  about: [
    'Every tool is pinned to the definition that was seen first. Approve a change only if you know why it was made.',
    'ツールの定義は、最初に検出したときの内容で固定されます。変更の理由が分かる場合だけ承認してください。',
  ],
  empty: ['Nothing to review.', '確認が必要なものはありません。'],
  emptyHow: [
    'Tools appear here when their definition changes, or instructs the model.',
    '定義が変わったツールや、モデルに指示を与えるツールが、ここに表示されます。',
  ],
  none: ['No tools have been seen yet.', 'ツールはまだありません。'],
  how: [
    'Tools appear here when a program offers them to a model through the proxy.',
    'プログラムがプロキシ経由でモデルに渡したツールが、ここに表示されます。',
  ],
  tool: ['Tool', 'ツール'],
  server: ['Server', 'サーバー'],
  own: ['Built into the program', 'プログラム自身の関数'],
  users: ['Used by', 'ユーザー'],
  findings: ['Findings', '検出結果'],
  state: ['State', '状態'],
  last: ['Last seen', '最終確認'],
  actions: ['Decide', '判断'],
  show: ['Compare', '比較'],
  look: ['Show', '表示'],
  showOf: [(name: string) => `Show the definition of ${name}`, (name: string) => `${name} の定義を表示`],
  compareOf: [(name: string) => `Compare the definition of ${name}`, (name: string) => `${name} の定義を比較`],
  approve: ['Approve', '承認'],
  deny: ['Deny', '拒否'],
  decided: [
    (name: string, state: string) => `${name} was ${state}`,
    (name: string, state: string) => `${name} を${state === 'approved' ? '承認' : '拒否'}しました`,
  ],
  pinned: ['Pinned definition', '固定された定義'],
  changed: ['What has changed', '変更点'],
  before: ['Before', '変更前'],
  after: ['Now', '現在'],
  missing: '–',
  states: {
    seen: ['Seen', '検出済み'],
    approved: ['Approved', '承認済み'],
    denied: ['Denied', '拒否'],
    changed: ['Changed', '変更あり'],
  } as Record<string, Text>,
  kinds: {
    poisoned: ['Instructs the model', 'モデルへの指示を含む'],
    invisible: ['Hidden characters', '見えない文字を含む'],
    shadows: ['Refers to another tool', 'ほかのツールに言及'],
  } as Record<string, Text>,
});

const pageSize = 50;
const stateTones: Readonly<Record<string, string>> = { changed: 'warn', denied: 'bad', approved: 'good' };

/** The cells of a tool or server: who used it, when it was last seen, and its state. */
export const usageCells = (states: Readonly<Record<string, string>>, format: Format) => ({
  users: ({ users, agents }: Pick<Tool, 'users' | 'agents'>): VNode =>
    html`<${LongName} text=${format.few(users)} /><div class="quiet-text"><${LongName} text=${format.few(agents)} /></div>`,
  last: ({ last_seen: last }: Pick<Tool, 'last_seen'>): string => format.relative(last),
  state: ({ state }: { readonly state: string }): VNode =>
    html`<${Badge} tone=${stateTones[state] ?? 'plain'}>${states[state] ?? state}</${Badge}>`,
});

/** All tools, or those that need a review. */
export function ToolList({ isReview = false }: { readonly isReview?: boolean }): VNode {
  const words = useTexts(texts);
  const format = useFormat();
  const load = useLoad<{ readonly tools: readonly Tool[] }>('/admin/tools?limit=1000', { everyMs: 30_000 });
  const [chosen, setChosen] = useState<string>();
  const all = load.body?.tools ?? [];
  const isOpen = ({ state, findings }: Tool) => state === 'changed' || (findings.length > 0 && state === 'seen');
  const { rows, pager } = usePages(isReview ? all.filter(isOpen) : all, pageSize);
  const shown = all.find(({ id }) => id === chosen);
  const columns = columnsOf(words, {
    tool: ({ name }: Tool) => html`<strong class="mono"><${LongName} text=${name} /></strong>`,
    server: ({ server }) =>
      server === null
        ? html`<span class="quiet-text">${words.own}</span>`
        : html`<span class="mono"><${LongName} text=${server} /></span>`,
    findings: ({ findings }) => (findings.length === 0 ? '–' : html`<${Findings} kinds=${findings} />`),
    ...usageCells(words.states, format),
    actions: {
      isLabelHidden: true,
      show: ({ id, name, state }) =>
        html`<${Button}
          isSmall
          label=${state === 'changed' ? words.compareOf(name) : words.showOf(name)}
          onClick=${() => setChosen(id)}
        >${state === 'changed' ? words.show : words.look}</${Button}>`,
    },
  });
  const empty = html`<${EmptyState} icon=${isReview ? 'check' : 'code'} title=${isReview ? words.empty : words.none}>
    <p>${isReview ? words.emptyHow : words.how}</p>
  </${EmptyState}>`;
  return html`<div class="stack">
    <${Note}><p>${words.about}</p></${Note}>
    <${TableCard}
      load=${load}
      rows=${() => rows}
      caption=${words.caption}
      columns=${columns}
      keyOf=${({ id }: Tool) => id}
      empty=${empty}
    >${pager}</${TableCard}>
    ${shown && html`<${ToolDialog} tool=${shown} onClose=${() => setChosen(undefined)} onDone=${load.reload} />`}
  </div>`;
}

/** The findings about a tool's definition, as badges. */
function Findings({ kinds }: { readonly kinds: readonly string[] }): VNode {
  const words = useTexts(texts);
  return html`<span class="row tight">${kinds.map(
    (kind) => html`<${Badge} key=${kind} tone="warn">${words.kinds[kind] ?? kind}</${Badge}>`,
  )}</span>`;
}

type ToolDialogProps = { readonly tool: Tool; readonly onClose: () => void; readonly onDone: () => Promise<void> };

function ToolDialog({ tool, onClose, onDone }: ToolDialogProps): VNode {
  const words = useTexts(texts);
  const api = useApi();
  const send = useSend(onDone);
  const decide = async (state: 'approved' | 'denied'): Promise<void> => {
    if (await send(api.post(`/admin/tools/${tool.id}`, { state }), words.decided(tool.name, state))) onClose();
  };
  return html`<${Dialog}
    isWide
    title=${tool.name}
    onClose=${onClose}
    actions=${html`<${Button} kind="danger" onClick=${() => void decide('denied')}>${words.deny}</${Button}>
      <${Button} kind="primary" onClick=${() => void decide('approved')}>${words.approve}</${Button}>`}
  >
    <div class="stack">
      ${tool.findings.length > 0 && html`<${Findings} kinds=${tool.findings} />`}
      ${
        tool.diff.length > 0 &&
        html`<section class="stack tight"><h3>${words.changed}</h3>
          ${tool.diff.map(
            ({ path, before, after }) => html`<div key=${path} class="stack tight">
              <p class="mono">${path}</p>
              <${CodeBlock} label=${words.before} text=${before ?? words.missing} />
              <${CodeBlock} label=${words.after} text=${after ?? words.missing} />
            </div>`,
          )}</section>`
      }
      <${CodeBlock} label=${words.pinned} text=${prettyJson(tool.definition)} />
    </div>
  </${Dialog}>`;
}
