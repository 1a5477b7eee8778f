/** Name look-ups: by the system, or by the name servers of `upstream.dns`. */
import { type LookupAddress, lookup, promises } from 'node:dns';
import { setTimeout } from 'node:timers/promises';

/** All addresses of a name; rejects with the error of node:dns, code `ENOTFOUND` when there are none. */
export type LookUp = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * How long the addresses of one family are waited for when those of the other are there. RFC 8305 §3 says 50 ms; here an
 * address that is refused counts for all of them, so that a name server that is a little late should be heard.
 */
const otherFamilyMs = 250;

/** Asks the servers, the next one when one is silent; the system where none are given. */
export function lookUpBy(servers: readonly string[], timeoutMs: number): LookUp {
  if (servers.length === 0) return systemLookUp;
  const resolver = new promises.Resolver({ timeout: Math.max(250, Math.floor(timeoutMs / 3)), tries: 2 });
  resolver.setServers([...servers]);
  return async (name) => {
    // Name servers know nothing of this machine (RFC 6761 §6.3).
    if (name === 'localhost' || name.endsWith('.localhost')) return systemLookUp(name);
    const answers = await both([resolver.resolve4(name), resolver.resolve6(name)]);
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

/** The answers to both questions; where one has brought addresses, the other is not waited for without end. */
async function both(questions: readonly Promise<string[]>[]): Promise<PromiseSettledResult<string[]>[]> {
  const late: PromiseSettledResult<string[]> = { status: 'rejected', reason: { code: 'ETIMEOUT' } };
  const first = Promise.any(questions).catch(() => undefined);
  const patience = first.then((found) =>
    found ? setTimeout(otherFamilyMs, late, { ref: false }) : new Promise<never>(() => {}),
  );
  return Promise.all(
    questions.map((question) => Promise.race([Promise.allSettled([question]).then(([answer]) => answer), patience])),
  );
}

function systemLookUp(name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
