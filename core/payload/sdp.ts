/**
 * WebRTC session descriptions: SDP (RFC 8866), SDP fragments (RFC 8840) and single ICE candidates (RFC 8839). Masking
 * their addresses, fingerprints and passwords would break the call, so only human-readable lines are texts.
 */
import { type Findings, openPlain, type TextDocument } from './text-document.ts';

/** A line such as `a=mid:0`; the last one may lack its end. */
const lineForm = /^(?:[a-z]=.*)?$/;
const lineEnd = /\r?\n/;
const ofProtocol = /^(?:v=0$|[octbrzmk]=|a=[a-z][\w-]*(?:$|:))/i;

const address = String.raw`(?:[\da-f.:]+|[\w-]+\.local)`;
const candidate = new RegExp(
  String.raw`^(?:a=)?candidate:[\w+/-]{1,36} \d{1,5} (?:udp|tcp) \d{1,10} ${address} \d{1,5} typ (?:host|srflx|prflx|relay)(?: raddr ${address})?(?: (?:rport|generation|network-id|network-cost) \d{1,5}| tcptype \w+| ufrag [\w+/-]{1,256})*$`,
  'i',
);

/** True for a session description, a fragment of one, or a candidate. */
export function isSdp(text: string): boolean {
  if (text.startsWith('candidate:') || text.startsWith('a=candidate:')) {
    if (candidate.test(text.trim())) return true;
  }
  const isWhole = /^v=0\r?\no=/.test(text);
  if (!isWhole && !/^[am]=\S/.test(text)) return false;
  const lines = text.split(lineEnd);
  if (!lines.every((line) => lineForm.test(line))) return false;
  return isWhole || lines.some((line) => /^a=(?:ice-ufrag|candidate|end-of-candidates)\b/.test(line));
}

/** Opens a text that {@link isSdp}. Only fields with free text are searched, such as a subject or an address. */
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

/** True for a protocol line. Some programs name a stream after its user. */
function isOfProtocol(line: string): boolean {
  return ofProtocol.test(line) && !/\S@\S/.test(line);
}
