/** Name resolution: by the system, or by the name servers of `upstream.dns`. */
import { type LookupAddress, lookup, promises } from 'node:dns';
import { setTimeout } from 'node:timers/promises';

/** All addresses of a name; rejects with the error of node:dns, code `ENOTFOUND` if there are none. */
export type LookUp = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Grace period for the second address family after the first has resolved. RFC 8305 §3 suggests 50 ms; we wait longer,
 * because one forbidden address rejects the whole name and a slow name server must not hide it.
 */
const otherFamilyMs = 250;

/** Queries the servers in turn, or the system if there are none. Any server's answer counts until the time limit. */
export function lookUpBy(servers: readonly string[], timeoutMs: number): LookUp {
  if (servers.length === 0) return systemLookUp;
  // A single server is queried twice, because a query may be lost.
  const asked = servers.length === 1 ? [...servers, ...servers] : servers;
  const resolvers = asked.map((server) => {
    const resolver = new promises.Resolver({ timeout: Math.max(1, timeoutMs), tries: 1 });
    resolver.setServers([server]);
    return resolver;
  });
  const ask = (question: (resolver: promises.Resolver) => Promise<string[]>) =>
    firstAnswer(resolvers, question, timeoutMs / (resolvers.length + 1));
  return async (name) => {
    // Name servers know nothing about this machine (RFC 6761 §6.3).
    if (name === 'localhost' || name.endsWith('.localhost')) return systemLookUp(name);
    const answers = await both([ask((one) => one.resolve4(name)), ask((one) => one.resolve6(name))]);
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

/** The first answer of consecutively queried servers. "Unknown name" is an answer, an error is not. */
function firstAnswer(
  resolvers: readonly promises.Resolver[],
  question: (resolver: promises.Resolver) => Promise<string[]>,
  waitMs: number,
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let open = 0;
    let timer: NodeJS.Timeout | undefined;
    const askNext = (): void => {
      clearTimeout(timer);
      const resolver = resolvers[next++];
      if (resolver === undefined) return;
      open++;
      if (next < resolvers.length) timer = globalThis.setTimeout(askNext, waitMs).unref();
      question(resolver).then(
        (found) => {
          clearTimeout(timer);
          resolve(found);
        },
        (error: NodeJS.ErrnoException) => {
          open--;
          const isAnswer = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
          if (!isAnswer && next < resolvers.length) return askNext();
          if (!isAnswer && open > 0) return;
          clearTimeout(timer);
          reject(error);
        },
      );
    };
    askNext();
  });
}

/** The answers to both queries; once one has addresses, the wait for the other is limited. */
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
