/** Options of a Connection field in lower case (RFC 9110 §7.6.1). */
export const closeOption = /(?:^|[ \t,])close(?:$|[ \t,])/;
export const keepAliveOption = /(?:^|[ \t,])keep-alive(?:$|[ \t,])/;

/**
 * True if the client keeps the connection for another request (RFC 9112 §9.3). `minor`: its HTTP/1 minor version;
 * `fields`: alternating names and values. Proxy-Connection counts too, because old clients use it the same way.
 */
export function keepsConnection(minor: number, fields: readonly string[]): boolean {
  let keeps = minor === 1;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    if ((name.length !== 10 && name.length !== 16) || !/^(?:proxy-)?connection$/i.test(name)) continue;
    const options = (fields[i + 1] as string).toLowerCase();
    if (closeOption.test(options)) return false;
    if (keepAliveOption.test(options)) keeps = true;
  }
  return keeps;
}
