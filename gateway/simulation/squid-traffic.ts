/** Squid's native access.log: `time elapsed client result/status bytes method URL user hierarchy/peer type`. */
import { given, type TrafficLine, type TrafficReader, targetOf } from './traffic.ts';

const native = /^\s*(\d{9,11})\.(\d{1,6})\s+-?\d+\s+(\S+)\s+(\S+)\/(\d{3}|0+)\s+-?\d+\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+/;

/** Reads such a log line by line. */
export class SquidReader implements TrafficReader {
  /** True if a line looks like this format. */
  static knows(line: string): boolean {
    return native.test(line);
  }

  read(line: string): TrafficLine {
    const match = native.exec(line);
    if (match === null) return 'unreadable';
    const [, seconds = '', fraction = '', client = '', result = '', status, method = '', url = '', user] = match;
    // Connections that never became a request: `NONE error:transaction-end-before-headers`.
    if (method === 'NONE' || url.startsWith('error:') || url.startsWith('cache_object:') || result === 'NONE_NONE')
      return 'skip';
    // An authentication challenge; the actual request has its own line.
    if (status === '407') return 'skip';
    const isTunnel = method === 'CONNECT';
    const target = targetOf(url, isTunnel);
    if (target === undefined) return 'unreadable';
    const name = given(user);
    // Squid logs only response bytes, so rules by upload size see none.
    return {
      at: new Date(Number(seconds) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))),
      subject: name === undefined ? client : decoded(name),
      ...target,
      ...(isTunnel ? {} : { method, size: 0 }),
      from: client,
      ...(name === undefined ? {} : { user: decoded(name) }),
    };
  }
}

/** Squid percent-encodes special characters in user names. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
