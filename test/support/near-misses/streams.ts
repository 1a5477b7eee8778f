/** Near misses of streams: events with a missing or different name, sign or end, and truncated ones. */
import { joinBytes } from '../../../core/stream/frame.ts';
import { StreamRestorer } from '../../../core/stream/stream-restorer.ts';
import { framesOf, type Shape, shapes } from '../../core/stream/provider-shapes.ts';
import { serviceShapes } from '../../core/stream/service-shapes.ts';
import { tokenMap } from '../../core/stream/wire-fixtures.ts';
import { blockOf, type Edits, type Look, sampled } from './golden.ts';
import type { Made } from './recognizers.ts';

const value = 'O"Hara';
const map = tokenMap({ '[EMAIL-1]': 'a@b.example', '[NAME-1]': value });
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const chunkBytes = 11;

/** Only every nth shape, because the others share these cases with it. */
const every = 14;

/** Every name, number and run of signs in the framing and its JSON. */
const framewise: Edits = {
  pieces: (text) => text.match(/[A-Za-z0-9_-]+|[^A-Za-z0-9_-]+/g) ?? [],
  isEdited: () => true,
  isCompact: true,
  edits: {
    drop: () => '',
    other: (piece) => (/^[0-9]+$/.test(piece) ? '7' : 'x'),
    'line>': (piece) => (/^[a-z]{4,}$/.test(piece) ? `\n${piece}` : undefined),
  },
  wholes: ({ text }) =>
    Object.entries({
      'carriage returns': text.replaceAll('\n', '\r\n'),
      'byte order mark': `\ufeff${text}`,
      twice: text + text,
      'no last line end': text.trimEnd(),
      'spread out': text.replaceAll(',"', ', "').replaceAll('":', '": '),
      escaped: text.replaceAll('[EMAIL', '\\u005bEMAIL'),
      small: text.replaceAll('EMAIL', 'email'),
      wide: text.replaceAll('[EMAIL-1]', '［EMAIL-1］'),
      unknown: text.replaceAll('EMAIL-1', 'EMAIL-8'),
    }).map(([name, changed]) => [name, { text: changed, start: 0, end: changed.length }] as const),
};

/** The outcome for the tokens, for the rest of the stream, and for the same stream in pieces. */
function lookFor(kind: Shape['kind']): Look {
  const restored = (bytes: Uint8Array, size: number) => {
    const count = { restored: 0, unresolved: 0, unreadable: 0 };
    const restorer = new StreamRestorer({
      kind,
      map,
      onCount: (more) => {
        count.restored += more.restored;
        count.unresolved += more.unresolved;
        count.unreadable += more.unreadable ?? 0;
      },
    });
    const out: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) out.push(restorer.push(bytes.slice(at, at + size)).slice());
    const held = restorer.isHolding ? 'held ' : '';
    const between = restorer.isBetweenEvents ? 'between ' : '';
    out.push(restorer.end());
    return { text: decoder.decode(joinBytes(out)), count, state: held + between };
  };
  return ({ text }) => {
    const bytes = encoder.encode(text);
    const { text: output, count, state } = restored(bytes, Math.max(1, bytes.length));
    const pieces = restored(bytes, chunkBytes);
    const left = output.match(/\[(?:EMAIL|NAME)|［EMAIL/g)?.length ?? 0;
    return [
      `${count.restored} restored`,
      count.unresolved > 0 ? `${count.unresolved} unresolved` : '',
      count.unreadable > 0 ? `${count.unreadable} unreadable` : '',
      left > 0 ? `${left} left` : '',
      `${output.length - text.length >= 0 ? '+' : ''}${output.length - text.length}`,
      state.trim(),
      pieces.text === output ? '' : 'otherwise in pieces',
    ]
      .filter((part) => part !== '')
      .join(' ');
  };
}

/** A block for each shape of a provider's text stream. */
export function streamBlocks(): Made[] {
  const chosen = [...shapes, ...serviceShapes].filter(({ kind }, i) => kind !== 'event-stream' && i % every === 0);
  return sampled(
    chosen.map((shape) => ({
      name: shape.name,
      make: () => {
        const pieces = shape.isJson ? ['{"to":"[EMA', 'IL-1]","n":"[NAME-1]"}'] : ['to [EMA', 'IL-1] or [NAME-1].'];
        const text = decoder.decode(joinBytes(framesOf(shape, pieces)));
        const look = lookFor(shape.kind);
        return `${shape.name}\n${blockOf({ text, start: 0, end: text.length }, { kind: '+', look, by: framewise })}`;
      },
    })),
  );
}
