/** Every endpoint of the API, from its reference: fill in, send, read the response. */

import { prettyJson } from '../../core/parsing.ts';
import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { Button } from '../shared/button.ts';
import { TextArea, TextField } from '../shared/field.ts';
import { html, useEffect, useId, useMemo, useState, type VNode } from '../shared/html.ts';
import type { Outcome, Problem } from '../shared/http.ts';
import { Badge, CodeBlock, EmptyState, Note } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { useTexts } from '../shared/preferences.ts';
import { goTo } from '../shared/route.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { JsonError, positionOf, readJson } from './json-reader.ts';
import { addressOf, type Operation, operationsOf } from './openapi.ts';
import { useResultPlace } from './shown-result.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  list: ['Endpoints', 'エンドポイント'],
  filter: ['Filter', '絞り込み'],
  body: ['Body (JSON)', '本文（JSON）'],
  notJson: [
    (line: number, column: number) => `This is not JSON: line ${line}, column ${column}.`,
    (line: number, column: number) => `JSON ではありません：${line} 行目 ${column} 列目`,
  ],
  file: ['File', 'ファイル'],
  send: ['Send', '送信'],
  answer: ['Response', '応答'],
  head: ['Headers', 'ヘッダー'],
  key: ['key', 'キー'],
  keyNeeded: [
    'This endpoint needs a key. Without one it answers with 401.',
    'このエンドポイントにはキーが必要です。キーがないため 401 が返ります。',
  ],
  changes: ['This call changes or deletes data.', 'この呼び出しはデータを変更または削除します。'],
  empty: ['Send the call to see the response.', '送信すると応答が表示されます。'],
  noBody: ['The response has no body.', '応答に本文はありません。'],
  cut: ['Only the beginning is shown.', '先頭だけを表示しています。'],
  none: ['No endpoint matches.', '該当するエンドポイントはありません。'],
  groups: {
    detect: ['Detect', '検出'],
    mask: ['Mask', 'マスキングと復元'],
    injection: ['Injection', 'インジェクション検査'],
    rag: 'RAG',
    chat: ['Chat', 'チャット'],
    account: ['Account', 'アカウント'],
    demo: ['Demo', 'デモ'],
    admin: ['Admin', '管理'],
    registry: ['Registry', '登録サービス'],
    state: ['State', '稼働状態'],
  } as Record<string, Text>,
});

const shownMax = 100_000;

export function EndpointsView({ chosen }: { readonly chosen: string | null }): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { client, pathOf } = useAccess();
  const [operations, setOperations] = useState<readonly Operation[]>();
  const [problem, setProblem] = useState<Problem>();
  const [filter, setFilter] = useState('');
  const load = async () => {
    const outcome = await client.get('/openapi.json');
    if (outcome.ok) setOperations(operationsOf(outcome.body));
    setProblem(outcome.ok ? undefined : outcome.problem);
  };
  useEffect(() => {
    void load();
  }, []);
  const wanted = filter.trim().toLowerCase();
  const found = operations?.filter(({ path, method, summary }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(wanted),
  );
  // Few readers look for health and metrics: list them last, as the API reference does.
  const isLast = ({ tag }: Operation) => Number(tag === 'state');
  const groups = Map.groupBy(found?.toSorted((a, b) => isLast(a) - isLast(b)) ?? [], ({ tag }) => tag);
  const current =
    operations?.find(({ id }) => id === chosen) ?? operations?.find(({ path }) => path === pathOf('/mask'));
  return html`<${ViewHead} title=${shared.nav.endpoints} about=${shared.about.endpoints} />
    ${problem && html`<${CallProblem} problem=${problem} onRetry=${load} />`}
    ${
      operations &&
      html`<div class="explorer">
        <nav class="card endpoint-list" aria-label=${words.list}>
          <${TextField} label=${words.filter} type="search" value=${filter} onInput=${setFilter} />
          ${groups.size === 0 && html`<p class="quiet-text">${words.none}</p>`}
          ${[...groups].map(
            ([tag, members]) => html`<div key=${tag}>
              <p class="group-name">${words.groups[tag] ?? tag}</p>
              <ul>${members.map(
                ({ id, method, path }) => html`<li key=${id}>
                  <button
                    type="button"
                    class="endpoint"
                    aria-current=${id === current?.id ? 'true' : undefined}
                    onClick=${() => goTo('endpoints', { call: id })}
                  ><${Method} name=${method} /><span>${path}</span></button>
                </li>`,
              )}</ul>
            </div>`,
          )}
        </nav>
        ${current && html`<${EndpointCall} key=${current.id} operation=${current} />`}
      </div>`
    }`;
}

function Method({ name }: { readonly name: string }): VNode {
  return html`<span class=${`method ${name.toLowerCase()}`}>${name}</span>`;
}

function EndpointCall({ operation }: { readonly operation: Operation }): VNode {
  const words = useTexts(texts);
  const access = useAccess();
  const id = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => (operation.body === undefined ? '' : JSON.stringify(operation.body, null, 2)));
  const [error, setError] = useState<string>();
  const [file, setFile] = useState<File>();
  const [outcome, setOutcome] = useState<Outcome<unknown>>();
  const place = useResultPlace(outcome);
  const [isRunning, setRunning] = useState(false);

  const send = async () => {
    let json: unknown;
    if (operation.body !== undefined && body.trim() !== '') {
      try {
        readJson(body);
        json = JSON.parse(body);
      } catch (problem) {
        const { line, column } = positionOf(body, problem instanceof JsonError ? problem.at : 0);
        return setError(words.notJson(line, column));
      }
    }
    setError(undefined);
    setRunning(true);
    const form = new FormData();
    if (file !== undefined) form.set('file', file);
    const done = await access.client.call(operation.method, addressOf(operation, values), {
      ...(operation.isForm ? { form } : json === undefined ? {} : { json }),
      headers: { accept: '*/*' },
    });
    access.noteAnswer(done.ok ? done.headers : done.seen?.headers);
    setRunning(false);
    setOutcome(done);
  };
  return html`<div class="stack">
    <form
      class="card stack"
      onSubmit=${(event: Event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="row"><${Method} name=${operation.method} /><h2 class="mono grow">${operation.path}</h2>
        ${operation.needsKey && html`<${Badge}>${words.key}</${Badge}>`}</div>
      <p>${operation.summary}</p>
      ${operation.needsKey && access.key === undefined && html`<${Note} tone="warn"><p>${words.keyNeeded}</p></${Note}>`}
      ${/^(?:DELETE|PATCH|PUT)$/.test(operation.method) && html`<${Note} tone="warn"><p>${words.changes}</p></${Note}>`}
      ${
        operation.parameters.length > 0 &&
        html`<div class="columns">${operation.parameters.map(
          ({ name, required, description }) => html`<${TextField}
            key=${name}
            label=${name}
            hint=${description}
            isRequired=${required}
            value=${values[name] ?? ''}
            onInput=${(value: string) => setValues({ ...values, [name]: value })}
          />`,
        )}</div>`
      }
      ${
        operation.body !== undefined &&
        html`<${TextArea} label=${words.body} isMono rows=${8} value=${body} onInput=${setBody} onRun=${send} error=${error} />`
      }
      ${
        operation.isForm &&
        html`<div class="field"><label class="label" for=${id}>${words.file}</label>
          <input
            id=${id}
            class="input file"
            type="file"
            onChange=${(event: Event) => setFile((event.currentTarget as HTMLInputElement).files?.[0])}
          /></div>`
      }
      <div class="row"><${Button} kind="primary" submits isBusy=${isRunning}>${words.send}</${Button}></div>
    </form>
    <section class="card stack outcome" aria-label=${words.answer} ref=${place} aria-busy=${isRunning}>
      ${
        outcome === undefined
          ? html`<${EmptyState}
            icon="code"
            title=${words.empty}
          />`
          : html`<${Answer} outcome=${outcome} onRetry=${send} />`
      }
    </section>
  </div>`;
}

function Answer({ outcome, onRetry }: { readonly outcome: Outcome<unknown>; readonly onRetry: () => void }): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const seen = outcome.ok ? outcome : outcome.seen;
  const text = useMemo(() => (seen === undefined ? '' : prettyJson(seen.text)), [seen]);
  return html`
    ${!outcome.ok && html`<${CallProblem} problem=${outcome.problem} onRetry=${onRetry} />`}
    ${
      seen &&
      html`<div class="row" role="status"><${Badge} tone=${outcome.ok ? 'good' : 'bad'}>${seen.status}</${Badge}>
          <${Badge}>${shared.took(Math.round(seen.tookMs))}</${Badge}></div>
        ${
          text === ''
            ? html`<p class="quiet-text">${words.noBody}</p>`
            : html`<${CodeBlock} label=${words.answer} text=${text.slice(0, shownMax)} />
              ${text.length > shownMax && html`<p class="quiet-text">${words.cut}</p>`}`
        }
        <details class="section"><summary>${words.head}</summary>
          <pre class="quiet-text" tabindex="0">${[...seen.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}</pre></details>`
    }`;
}
