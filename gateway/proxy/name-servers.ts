/** Name look-ups: by the system, or by the name servers of `upstream.dns`. */
import { type LookupAddress, lookup, promises } from 'node:dns';

/** All addresses of a name; rejects with the error of node:dns, code `ENOTFOUND` when there are none. */
export type LookUp = (name: string) => Promise<readonly LookupAddress[]>;

/** Asks the servers, the next one when one is silent; the system where none are given. */
export function lookUpBy(servers: readonly string[], timeoutMs: number): LookUp {
  if (servers.length === 0) return systemLookUp;
  const resolver = new promises.Resolver({ timeout: Math.max(250, Math.floor(timeoutMs / 3)), tries: 2 });
  resolver.setServers([...servers]);
  return async (name) => {
    // Name servers know nothing of this machine (RFC 6761 §6.3).
    if (name === 'localhost' || name.endsWith('.localhost')) return systemLookUp(name);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    );
    if (found.length > 0) return found;
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as { code?: string }).code : '',
    );
    const isUnknown = codes.every((code) => code === '' || code === 'ENOTFOUND' || code === 'ENODATA');
    throw Object.assign(new Error('the name servers gave no address'), { code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN' });
  };
}

function systemLookUp(name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
