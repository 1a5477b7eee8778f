/** Masks complete files, and splits documents into chunks for retrieval. */

import { inBoth } from '../../core/wording/in-both.ts';
import type { RestoreAnswer } from '../../gateway/api/routes/mask.ts';
import type { RagAnswer } from '../../gateway/api/routes/rag.ts';
import type { UploadAnswer } from '../../gateway/api/routes/upload.ts';
import { Button } from '../shared/button.ts';
import { Checkbox, TextArea, TextField } from '../shared/field.ts';
import { html, useId, useState, type VNode } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import { Badge, EmptyState } from '../shared/notes.ts';
import { ViewHead } from '../shared/page-frame.ts';
import { labelled, usePreferences, useTexts } from '../shared/preferences.ts';
import { Tabs } from '../shared/tabs.ts';
import { useAccess } from './access.ts';
import { CallProblem } from './call-problem.ts';
import { CodeView } from './code-view.ts';
import { HighlightedText, RestoredText, TokenText } from './detections.ts';
import { JsonBlock } from './json-block.ts';
import { KeyNeeded } from './key-needed.ts';
import { typeName } from './pii-types.ts';
import { documentSample } from './samples.ts';
import { useResultPlace } from './shown-result.ts';
import { texts as common } from './texts.ts';

const texts = inBoth({
  ways: ['Kind of document', '文書の種類'],
  file: ['A file', 'ファイル'],
  rag: ['Chunks for retrieval (RAG)', '検索用チャンク（RAG）'],
  choose: ['File', 'ファイル'],
  kinds: [
    (max: string) => `txt, md, csv, json, html, docx, xlsx, pptx, odt, ods, odp, epub or pdf, up to ${max}.`,
    (max: string) => `txt、md、csv、json、html、docx、xlsx、pptx、odt、ods、odp、epub、pdf（${max} まで）`,
  ],
  upload: ['Mask the file', 'ファイルをマスクする'],
  emptyFile: [
    'Choose a file to see its text, the detections and the masked text.',
    'ファイルを選ぶと、本文、検出結果、マスキング後のテキストが表示されます。',
  ],
  section: [(n: number) => `Part ${n}`, (n: number) => `第 ${n} 部`],
  page: ['Page $1', '$1 ページ'],
  noText: [
    'No readable text. Text in images and scans is not read.',
    '読み取れるテキストがありません。画像やスキャンの中の文字は読み取りません。',
  ],
  found: ['Found', '検出'],
  masked: ['Masked', 'マスキング後'],
  document: ['Document', '文書'],
  chunkSize: ['Chunk size, in characters', 'チャンクの最大文字数'],
  overlap: ['Overlap, in characters', '前後で重なる文字数'],
  names: ['Mask names too', '氏名もマスクする'],
  ingest: ['Split and mask', '分割してマスクする'],
  emptyRag: ['Split the document to see its chunks.', '文書を分割すると、チャンクが表示されます。'],
  chunk: [(n: number) => `Chunk ${n}`, (n: number) => `チャンク ${n}`],
  summary: ['Tokens by type', '種類別のトークン数'],
  answer: ['An answer based on the chunks', 'チャンクから作られた回答'],
  resolve: ['Restore', '復元する'],
  resolved: ['Restored answer', '復元された回答'],
  count: [(n: number) => `${n} found`, (n: number) => `${n} 件検出`],
});

type Way = 'file' | 'rag';

export function DocumentsView(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const [way, setWay] = useState<Way>('file');
  return html`<${ViewHead} title=${shared.nav.documents} about=${shared.about.documents} />
    <${Tabs} label=${words.ways} current=${way} onSelect=${setWay} tabs=${[
      { id: 'file', label: words.file },
      { id: 'rag', label: words.rag },
    ]}>${way === 'file' ? html`<${FilePart} />` : html`<${RagPart} />`}</${Tabs}>`;
}

function FilePart(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { language } = usePreferences();
  const access = useAccess();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [answer, setAnswer] = useState<UploadAnswer>();
  const place = useResultPlace(answer);
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    if (isRunning || file === undefined) return;
    const form = new FormData();
    if (access.entries.length > 0) form.set('dictionary', JSON.stringify(access.entries));
    form.set('file', file);
    setRunning(true);
    setProblem(undefined);
    const outcome = await access.client.call<UploadAnswer>('POST', access.pathOf('/upload'), { form });
    access.noteAnswer(outcome.ok ? outcome.headers : outcome.seen?.headers);
    setRunning(false);
    if (outcome.ok) setAnswer(outcome.body);
    else setProblem(outcome.problem);
  };
  return html`<div class="halves">
    <section class="card stack">
      <div class="field">
        <label class="label" for=${id}>${words.choose}</label>
        <input
          id=${id}
          class="input file"
          type="file"
          aria-describedby=${`${id}-hint`}
          accept=".txt,.md,.csv,.json,.html,.docx,.xlsx,.pptx,.odt,.ods,.odp,.epub,.pdf"
          onChange=${(event: Event) => setFile((event.currentTarget as HTMLInputElement).files?.[0])}
        />
        <p class="hint" id=${`${id}-hint`}>${words.kinds(access.key === undefined ? '256 KiB' : '10 MiB')}</p>
      </div>
      <div class="row">
        <${Button} kind="primary" icon="file" isBusy=${isRunning} isDisabled=${file === undefined} onClick=${run}
          >${words.upload}</${Button}>
      </div>
      ${problem && html`<${CallProblem} problem=${problem} onRetry=${run} />`}
    </section>
    <section class="card stack outcome" aria-label=${shared.result} ref=${place} aria-busy=${isRunning}>
      <h2 class="unseen">${shared.result}</h2>
      ${answer === undefined && html`<${EmptyState} icon="file" title=${words.emptyFile} />`}
      ${answer?.sections.map(({ title, text, masked, detections }, i) => {
        const name = title?.replace(/^Page (\d+)$/, words.page) ?? words.section(i + 1);
        return html`<details key=${i} class="section" open=${i < 3}>
          <summary>${name} <span class="count">${words.count(detections.length)}</span></summary>
          ${
            text.trim() === ''
              ? html`<p class="quiet-text">${words.noText}</p>`
              : html`<div class="columns">
                <div class="stack"><h3>${words.found}</h3>
                  <${HighlightedText} label=${labelled(language, words.found, name)} text=${text} detections=${detections} /></div>
                <div class="stack"><h3>${words.masked}</h3>
                  <${TokenText} label=${labelled(language, words.masked, name)} text=${masked} tokenMap=${answer.tokenMap} /></div>
              </div>`
          }
        </details>`;
      })}
      ${
        answer &&
        html`<details class="section"><summary>${shared.json}</summary>
          <${JsonBlock} value=${answer} /></details>`
      }
    </section>
  </div>`;
}

function RagPart(): VNode {
  const words = useTexts(texts);
  const shared = useTexts(common);
  const { language } = usePreferences();
  const access = useAccess();
  const [text, setText] = useState(documentSample);
  const [chunkSize, setChunkSize] = useState('300');
  const [overlap, setOverlap] = useState('40');
  const [wantsNames, setNames] = useState(true);
  const [answer, setAnswer] = useState<RagAnswer>();
  const place = useResultPlace(answer);
  const [chunkAnswer, setChunkAnswer] = useState('');
  const [resolved, setResolved] = useState<RestoreAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [running, setRunning] = useState<'ingest' | 'resolve'>();
  const body = {
    text,
    chunkSize: Number(chunkSize) || 300,
    overlap: Number(overlap) || 0,
    ...(wantsNames ? { extraTypes: ['name'] } : {}),
    ...(access.entries.length === 0 ? {} : { dictionary: access.entries }),
  };
  const ingest = async () => {
    setRunning('ingest');
    setProblem(undefined);
    const outcome = await access.post<RagAnswer>('/rag/ingest', body);
    setRunning(undefined);
    if (!outcome.ok) return setProblem(outcome.problem);
    setAnswer(outcome.body);
    setResolved(undefined);
    setChunkAnswer(outcome.body.chunks[0]?.text ?? '');
  };
  const resolve = async () => {
    setRunning('resolve');
    setProblem(undefined);
    const outcome = await access.post<RestoreAnswer>('/rag/resolve', {
      text: chunkAnswer,
      sessionId: answer?.sessionId,
    });
    setRunning(undefined);
    if (outcome.ok) setResolved(outcome.body);
    else setProblem(outcome.problem);
  };
  return html`<div class="stack"><${KeyNeeded} />
  <div class="halves">
    <section class="card stack">
      <${TextArea} label=${words.document} rows=${12} value=${text} onInput=${setText} />
      <div class="columns">
        <${TextField} label=${words.chunkSize} type="number" min=${1} value=${chunkSize} onInput=${setChunkSize} />
        <${TextField} label=${words.overlap} type="number" min=${0} value=${overlap} onInput=${setOverlap} />
      </div>
      <${Checkbox} label=${words.names} isChecked=${wantsNames} onChange=${setNames} />
      <div class="row">
        <${Button}
          kind="primary"
          icon="file"
          isBusy=${running === 'ingest'}
          isDisabled=${text === '' || access.key === undefined}
          onClick=${ingest}
          >${words.ingest}</${Button}>
      </div>
      ${problem && html`<${CallProblem} problem=${problem} onRetry=${answer === undefined ? ingest : resolve} />`}
      <details class="section"><summary>${shared.code}</summary><${CodeView} path="/rag/ingest" body=${body} /></details>
    </section>
    <section class="card stack outcome" aria-label=${shared.result} ref=${place} aria-busy=${running !== undefined}>
      <h2 class="unseen">${shared.result}</h2>
      ${
        answer === undefined
          ? html`<${EmptyState} icon="file" title=${words.emptyRag} />`
          : html`
            <div class="row" aria-label=${words.summary}>${answer.tokenSummary.map(
              ({ type, count }) =>
                html`<${Badge} key=${type}>${labelled(language, typeName(type, language), String(count))}</${Badge}>`,
            )}</div>
            ${answer.chunks.map(
              ({ id, index, text }) => html`<div key=${id} class="stack"><h3>${words.chunk(index + 1)}</h3>
                <${TokenText} label=${words.chunk(index + 1)} text=${text} tokenMap=${answer.tokenMap} /></div>`,
            )}
            <${TextArea} label=${words.answer} rows=${4} value=${chunkAnswer} onInput=${setChunkAnswer} />
            <div class="row"><${Button}
              isBusy=${running === 'resolve'}
              isDisabled=${chunkAnswer === ''}
              onClick=${resolve}
            >${words.resolve}</${Button}></div>
            ${resolved && html`<${RestoredText} label=${words.resolved} text=${resolved.restored} tokenMap=${answer.tokenMap} />`}
            <details class="section"><summary>${shared.json}</summary>
              <${JsonBlock} value=${answer} /></details>`
      }
    </section>
  </div></div>`;
}
