/** Animates a recorded exchange as an SVG: the text, what the model receives and writes, and what the user sees. */

/** A piece of text with its time in milliseconds since the start of the answer. */
export type TimedPiece = { readonly text: string; readonly atMs: number };

/** A recorded exchange. `values`: token → value. */
export type RecordedExchange = {
  readonly text: string;
  readonly masked: string;
  readonly values: Readonly<Record<string, string>>;
  readonly wrote: readonly TimedPiece[];
  readonly read: readonly TimedPiece[];
};

const columns = 47;
const size = 13;
const charWidth = 7.83;
const lineHeight = 20;
const box = { width: 400, pad: 16, head: 34 } as const;
const gap = 80;
const hues = [262, 195, 155, 30, 100, 290, 60, 340];
const beforeMs = 1_800;
const afterMs = 4_500;

/** The SVG. It loops; with reduced motion it shows the final state. */
export function streamPicture(exchange: RecordedExchange): string {
  const { text, masked, values, wrote, read } = exchange;
  const tokens = Object.keys(values);
  const hueOf = (part: string) => hues[tokens.findIndex((token) => token === part || values[token] === part) % 8] ?? 0;
  const lastMs = Math.max(...[...wrote, ...read].map(({ atMs }) => atMs));
  const totalMs = beforeMs + lastMs + afterMs;
  const times = new Set<string>();
  const at = (ms: number) => {
    const percent = ((ms / totalMs) * 100).toFixed(2);
    times.add(percent);
    return ` class="t${percent.replace('.', '_')}"`;
  };
  const top = lines(text).length;
  const low = Math.max(lines(textOf(wrote)).length, lines(textOf(read)).length);
  const topHeight = box.head + top * lineHeight + box.pad;
  const lowHeight = box.head + low * lineHeight + box.pad;
  const width = 2 * box.width + gap;
  const lowY = topHeight + 24;
  const right = box.width + gap;
  const marks = { tokens, valued: Object.values(values), hueOf };
  const parts = [
    panel(0, 0, topHeight, '1  You write'),
    run([{ text, atMs: 0 }], marks.valued, { x: 0, y: 0, hueOf, at: () => '' }),
    panel(right, 0, topHeight, '2  The model receives'),
    `<g${at(beforeMs / 2)}>${run([{ text: masked, atMs: 0 }], tokens, { x: right, y: 0, hueOf, at: () => '' })}</g>`,
    panel(right, lowY, lowHeight, '3  The model writes'),
    run(wrote, tokens, { x: right, y: lowY, hueOf, at: (ms) => at(beforeMs + ms) }),
    panel(0, lowY, lowHeight, '4  You read, as it streams'),
    run(read, marks.valued, { x: 0, y: lowY, hueOf, at: (ms) => at(beforeMs + ms) }),
    arrow(box.width + 12, topHeight / 2, 1),
    arrow(right - 12, lowY + lowHeight / 2, -1),
    `<text class="name" x="${box.width + gap / 2}" y="${topHeight / 2 - 14}">Privet</text>`,
    `<text class="name" x="${box.width + gap / 2}" y="${lowY + lowHeight / 2 - 14}">Privet</text>`,
  ];
  const moves = [...times].map((percent) => {
    const name = `t${percent.replace('.', '_')}`;
    const next = (Number(percent) + 0.01).toFixed(2);
    return `@keyframes ${name}{0%,${percent}%{opacity:0}${next}%,100%{opacity:1}}.${name}{animation:${name} ${totalMs}ms infinite}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${lowY + lowHeight}" width="${width}" height="${lowY + lowHeight}" role="img" aria-label="A text, the same text with tokens as the model gets it, the answer as the model writes it, and the answer with the values back as the person reads it.">
<!-- Made by npm run pictures. -->
<style>text{font:${size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1a2129;white-space:pre}.head{font:600 14px system-ui,sans-serif;fill:#0b6b64}.name{font:600 14px system-ui,sans-serif;fill:#0b6b64;text-anchor:middle}.box{fill:#fff;stroke:#dde2e8}.arrow{stroke:#0b6b64;fill:none;stroke-width:2}.m{rx:3px;fill:oklch(.91 .065 var(--h))}
@media(prefers-color-scheme:dark){text{fill:#e4e9ef}.head,.name{fill:#4fd1c5}.box{fill:#171c23;stroke:#2c3540}.arrow{stroke:#4fd1c5}.m{fill:oklch(.36 .075 var(--h))}}
${moves.join('\n')}
@media(prefers-reduced-motion:reduce){svg [class^=t]{animation:none}}</style>
${parts.join('\n')}
</svg>
`;
}

const textOf = (pieces: readonly TimedPiece[]): string => pieces.map(({ text }) => text).join('');

function panel(x: number, y: number, height: number, head: string): string {
  return `<rect class="box" x="${x + 0.5}" y="${y + 0.5}" width="${box.width - 1}" height="${height - 1}" rx="10"/><text class="head" x="${x + box.pad}" y="${y + 24}">${head}</text>`;
}

function arrow(x: number, y: number, direction: 1 | -1): string {
  const end = x + direction * (gap - 24);
  return `<path class="arrow" d="M${x} ${y}H${end}M${end - direction * 7} ${y - 6}L${end} ${y}L${end - direction * 7} ${y + 6}"/>`;
}

/** The lines of a text as [start, end) offsets, broken at spaces. */
function lines(text: string): (readonly [start: number, end: number])[] {
  const found: (readonly [number, number])[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const paragraphEnd = newline < 0 ? text.length : newline;
    let end = paragraphEnd;
    if (end - start > columns) {
      const space = text.lastIndexOf(' ', start + columns);
      end = space > start ? space : start + columns;
    }
    found.push([start, end]);
    start = end === paragraphEnd ? end + 1 : end + (text[end] === ' ' ? 1 : 0);
  }
  return found;
}

/** Pieces in their panel, with a coloured background behind each marked part once it is complete. */
function run(
  pieces: readonly TimedPiece[],
  marked: readonly string[],
  place: {
    readonly x: number;
    readonly y: number;
    readonly hueOf: (part: string) => number;
    readonly at: (ms: number) => string;
  },
): string {
  const text = textOf(pieces);
  const rows = lines(text);
  const shapes: string[] = [];
  const spans = (start: number, end: number) =>
    rows.flatMap(([from, to], row) => {
      const [first, last] = [Math.max(start, from), Math.min(end, to)];
      if (first >= last) return [];
      const x = place.x + box.pad + (first - from) * charWidth;
      return [{ x, y: place.y + box.head + (row + 1) * lineHeight - 6, text: text.slice(first, last) }];
    });
  const timeOf = (offset: number) => {
    let end = 0;
    for (const piece of pieces) {
      end += piece.text.length;
      if (end >= offset) return piece.atMs;
    }
    return 0;
  };
  for (const part of marked) {
    for (let i = text.indexOf(part); i >= 0; i = text.indexOf(part, i + part.length)) {
      const time = place.at(timeOf(i + part.length));
      for (const { x, y, text } of spans(i, i + part.length))
        shapes.push(
          `<g${time}><rect class="m" style="--h:${place.hueOf(part)}" x="${(x - 2).toFixed(1)}" y="${y - 14}" width="${(text.length * charWidth + 4).toFixed(1)}" height="19"/></g>`,
        );
    }
  }
  let offset = 0;
  for (const piece of pieces) {
    const time = place.at(piece.atMs);
    for (const { x, y, text } of spans(offset, offset + piece.text.length)) {
      if (text.trim() === '') continue;
      const length = (text.length * charWidth).toFixed(1);
      shapes.push(`<text${time} x="${x.toFixed(1)}" y="${y}" textLength="${length}">${escaped(text)}</text>`);
    }
    offset += piece.text.length;
  }
  return shapes.join('');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
