/**
 * The line with which a connection opens. Node's parser passes over bare CRs, LFs and spaces in front of a request, takes
 * several spaces for one, and takes RTSP and ICE for HTTP; who stands before it may read the same bytes as something else.
 */

/** RFC 9112 §3 without leniency but for bytes above ASCII in the target, which browsers of old send. */
const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [!-~\x80-\xff]+ HTTP\/[0-9]\.[0-9]\r$/;

/**
 * False when the first bytes of a connection begin with a line that is no request line. Empty lines before it are allowed
 * (RFC 9112 §2.2); a line that has not come whole is left to the parser.
 */
export function opensWithRequest(bytes: Buffer): boolean {
  let start = 0;
  while (bytes[start] === 13 && bytes[start + 1] === 10) start += 2;
  const end = bytes.indexOf(10, start);
  if (end !== -1) return requestLine.test(bytes.toString('latin1', start, end));
  const first = bytes[start];
  return first === undefined || (first > 0x20 && first < 0x7f) || (first === 13 && start + 1 === bytes.length);
}
