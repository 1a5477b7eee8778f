/**
 * WebRTC session descriptions: SDP (RFC 8866), SDP fragments (RFC 8840) and single ICE candidates (RFC 8839). Masking
 * their addresses, fingerprints, names or passwords would break the call, so protocol lines are never texts. Lines that
 * are written for people are, and so is everything that does not follow the grammar.
 */
import attributes from './sdp-attributes.json' with { type: 'json' };
import { type Findings, openPlain, type TextDocument } from './text-document.ts';

const lineEnd = /\r?\n/;
/** The lines of a description and of a fragment, by their letters. Programs that change descriptions vary the order. */
const wholeLetters = /^vos[iuepcbtrzka]*(?:m[icbka]*)*$/;
const fragmentLetters = /^[am]+$/;
/** Subject, information, and the address, e-mail and telephone number of a person; browsers write only `s=-`. */
const textLine = /^[siuep]=/;
/** RFC 8866, section 9; an unregistered attribute is searched like text. */
const protocolLine = new RegExp(
  [
    'v=0',
    String.raw`o=\S+ \d{1,20} \d{1,20} IN IP[46] \S+`,
    String.raw`c=IN IP[46] [\w.:/-]+`,
    String.raw`b=[\w-]+:\d{1,10}`,
    String.raw`t=\d{1,20} \d{1,20}`,
    String.raw`[rz]=-?\d[\ddhms -]*`,
    String.raw`k=(?:prompt|(?:clear|base64|uri):\S+)`,
    String.raw`m=[a-z]+ \d{1,5}(?:/\d{1,5})? [\w/]+(?:(?: \d{1,5})+| \S+)`,
    String.raw`a=[\w-]+(?::.*)?`,
  ]
    .map((form) => `^${form}$`)
    .join('|'),
);
const attribute = /^a=([\w-]+)(?::([ -~]*))?$/;
const known: ReadonlySet<string> = new Set(attributes.names);
const oneWord: ReadonlySet<string> = new Set(attributes.oneWord);
/** Three words in a row are a text for people, except in a list of names and in the pairs of a candidate. */
const prose = /(?:^|[ "'(])[A-Za-z]{2,}(?:[,.:;!?"')]* +["'(]?[A-Za-z]{2,}){2}(?![\w=/-])/;
const wordy = /^a=(?:group:[A-Z]+ |candidate:\S+ \d+ \w+ \d+ \S+ \d+ typ )/;

const address = String.raw`(?:[\da-f.:]+|[\w-]+\.local)`;
const candidate = new RegExp(
  String.raw`^(?:a=)?candidate:[\w+/-]{1,36} \d{1,5} (?:udp|tcp) \d{1,10} ${address} \d{1,5} typ (?:host|srflx|prflx|relay)(?: raddr ${address})?(?: (?:rport|generation|network-id|network-cost) \d{1,5}| tcptype \w+| ufrag [\w+/-]{1,256})*$`,
  'i',
);

/** True for a session description, a fragment of one, or a candidate, if all of the text follows its grammar. */
export function isSdp(text: string): boolean {
  if (text.startsWith('candidate:') || text.startsWith('a=candidate:')) {
    if (candidate.test(text.trim())) return true;
  }
  const isWhole = text.startsWith('v=0');
  if (!isWhole && !/^[am]=\S/.test(text)) return false;
  const lines = text.split(lineEnd).filter((line) => line !== '');
  if (!lines.every((line) => textLine.test(line) || protocolLine.test(line))) return false;
  const letters = lines.map((line) => line[0]).join('');
  if (isWhole) return wholeLetters.test(letters);
  return (
    fragmentLetters.test(letters) && lines.some((line) => /^a=(?:ice-ufrag|candidate|end-of-candidates)\b/.test(line))
  );
}

/** Opens a text that {@link isSdp}. Only lines for people, unknown attributes and texts in others are searched. */
export function openSdp(text: string, findings: Findings): TextDocument {
  const pieces = text.split(/(\r?\n)/).map((raw) => {
    const isText = raw.length > 2 && !lineEnd.test(raw) && !isOfProtocol(raw) && !candidate.test(raw);
    return { raw, document: isText ? openPlain(raw.slice(2), findings) : undefined };
  });
  return {
    rewrite(changes) {
      let isChanged = false;
      const lines = pieces.map(({ raw, document }) => {
        const changed = document?.rewrite(changes);
        if (changed === undefined) return raw;
        isChanged = true;
        return raw.slice(0, 2) + changed;
      });
      return isChanged ? lines.join('') : undefined;
    },
  };
}

function isOfProtocol(line: string): boolean {
  if (!line.startsWith('a=')) return !textLine.test(line);
  const [, name = '', value = ''] = attribute.exec(line) ?? [];
  if (oneWord.has(name)) return !value.trim().includes(' ');
  return known.has(name) && (wordy.test(line) || !prose.test(value));
}
