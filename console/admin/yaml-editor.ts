/** A text editor with line numbers and a list of errors that link to their lines. */

import { inBoth } from '../../core/wording/in-both.ts';
import { html, useId, useMemo, useRef, type VNode } from '../shared/html.ts';
import { useTexts } from '../shared/preferences.ts';
import { useSentences } from '../shared/sentences.ts';
import type { PolicyProblem } from './validation.ts';

const texts = inBoth({
  at: [
    (line: number, column: number) => `Line ${line}, column ${column}`,
    (line: number, column: number) => `${line} 行 ${column} 列`,
  ],
  after: [': ', '：'],
  problems: ['Errors', '誤り'],
  warnings: ['Warnings', '警告'],
});

export type YamlEditorProps = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly problems: readonly PolicyProblem[];
  readonly warnings: readonly PolicyProblem[];
};

/** Maximum number of lines that wrap; longer texts are too slow to lay out twice for each key press. */
const wrapLinesMax = 2_000;

/** The line numbers as a few large texts: a long policy has thousands, drawn again for each key press. */
function numbersOf(count: number, wrong: string): (VNode | string)[] {
  const marked = new Set(wrong.split(',').map(Number));
  const parts: (VNode | string)[] = [];
  let plain = '';
  for (let line = 1; line <= count; line++) {
    if (!marked.has(line)) plain += `${line}\n`;
    else {
      parts.push(plain, html`<span key=${line} class="wrong">${line}</span>`);
      plain = '\n';
    }
  }
  return [...parts, plain];
}

/** An invisible copy of the text that gives each line number the height of its wrapped line. */
function WrappedLines({ lines, wrong }: { readonly lines: readonly string[]; readonly wrong: string }): VNode {
  const marked = new Set(wrong.split(',').map(Number));
  return html`${lines.map(
    (line, i) =>
      html`<div key=${i} class=${marked.has(i + 1) ? 'line wrong' : 'line'}>${line === '' ? ' ' : line}</div>`,
  )}`;
}

export function YamlEditor({ label, value, onInput, problems, warnings }: YamlEditorProps): VNode {
  const words = useTexts(texts);
  const { error } = useSentences();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const lines = value.split('\n');
  const wrong = problems.map(({ line }) => line).join();
  const wraps = lines.length <= wrapLinesMax;
  const scroll = () => {
    if (gutter.current && area.current) gutter.current.scrollTop = area.current.scrollTop;
  };
  const numbers = useMemo(() => (wraps ? undefined : numbersOf(lines.length, wrong)), [wraps, lines.length, wrong]);
  const goTo = ({ line = 1, column = 1 }: PolicyProblem): void => {
    const element = area.current;
    if (element === null) return;
    const at = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    element.focus();
    element.setSelectionRange(at + column - 1, at + (lines[line - 1]?.length ?? 0));
    const row = wraps ? gutter.current?.children[line - 1] : undefined;
    const height = element.scrollHeight / lines.length;
    const top = row instanceof HTMLElement ? row.offsetTop : (line - 1) * height;
    element.scrollTop = Math.max(0, top - 3 * 20);
  };
  const list = (title: string, tone: string, all: readonly PolicyProblem[]) =>
    all.length > 0 &&
    html`<ul class=${`mistakes ${tone}`} aria-label=${title}>
      ${all.map(
        (fault, i) => html`<li key=${i}>
          ${
            !fault.line
              ? error(fault.message)
              : html`<button type="button" class="link" onClick=${() => goTo(fault)}
                  >${words.at(fault.line, fault.column ?? 1)}</button
                >${words.after}${fault.key && html`<code>${fault.key}</code>${words.after}`}${error(fault.message)}`
          }
        </li>`,
      )}
    </ul>`;
  return html`<div class="field">
    <label class="label" for=${id}>${label}</label>
    <div class=${wraps ? 'editor wraps' : 'editor'}>
      <div class="gutter" ref=${gutter} aria-hidden="true">
        ${wraps ? html`<${WrappedLines} lines=${lines} wrong=${wrong} />` : numbers}
      </div>
      <textarea
        id=${id}
        ref=${area}
        class="mono"
        wrap=${wraps ? 'soft' : 'off'}
        spellcheck=${false}
        autocapitalize="off"
        rows=${22}
        value=${value}
        aria-invalid=${problems.length > 0 ? 'true' : undefined}
        aria-describedby=${`${id}-mistakes`}
        onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLTextAreaElement).value)}
        onScroll=${scroll}
      ></textarea>
    </div>
    <div id=${`${id}-mistakes`} aria-live="polite">
      ${list(words.problems, 'bad', problems)} ${list(words.warnings, 'warn', warnings)}
    </div>
  </div>`;
}
