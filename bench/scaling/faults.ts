/** Effects on users and on the policy when parts of a group fail. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceId } from '../../policy/service.ts';
import { TestAuthority } from '../../test/support/authority.ts';
import { type Group, type Replica, type StoreKind, startGroup } from './group.ts';
import { ownAddress } from './network.ts';
import { answerOf, ask, host, People, type Seen, startOrigin } from './streaming.ts';

/** A fault and its observed effect. */
export type Finding = { readonly what: string; readonly seen: string; readonly isGood: boolean };

const peopleCount = 24;
const changes = 50;
const probe = 'probe.example';
/** Time limit for a change to apply everywhere. */
const inForceMsMax = 1_000;

/** Runs all faults on a group of that size and store; reports each finding as it is made. */
export async function runFaults(count: number, kind: StoreKind, report: (finding: Finding) => void): Promise<void> {
  const authority = new TestAuthority();
  const origin = await startOrigin(authority);
  const group = await startGroup(count, kind, {
    upstream: {
      ca_file: authority.file,
      resolve: { [host]: `${ownAddress}:${origin.port}`, [probe]: `${ownAddress}:${origin.port}` },
    },
  });
  try {
    report(await sharedToken(group));
    const [victim, other] = group.replicas as [Replica, Replica];
    report(
      await under(group, 'one replica is killed (SIGKILL) and restarted', async () => {
        await victim.kill();
        await sleep(3_000);
        await victim.start();
        return '';
      }),
    );
    report(
      await under(group, 'one replica is unplugged for 30 s while the policy changes', async () => {
        victim.host.cut();
        await sleep(2_000);
        await change(other, true);
        await sleep(28_000);
        const repaired = performance.now();
        victim.host.repair();
        await victim.untilReady();
        const readyMs = performance.now() - repaired;
        const until = await untilStatus(victim, true, 20_000);
        const inForceMs = until - repaired;
        await change(other, false);
        if (Number.isNaN(until)) throw new Error('the change never came');
        return `; once plugged in, ready after ${seconds(readyMs)}, missed change applied after ${seconds(inForceMs)}`;
      }),
    );
    report(
      await under(group, `${kind} is killed and restarted after 3 s`, async () => {
        await group.store.kill();
        await sleep(3_000);
        await group.store.start();
        const readyMs = await Promise.all(group.replicas.map((replica) => replica.untilReady()));
        return `; all ready ${seconds(Math.max(...readyMs))} after the restart`;
      }),
    );
    report(await policyChanges(group));
    const leaked = origin.everything().includes('@mail.example');
    report({ what: 'the service received', seen: leaked ? 'values' : 'only tokens', isGood: !leaked });
  } finally {
    await group.stop();
    origin.close();
  }
}

/** A value gets its token from one replica; every other replica uses the same token and restores it. */
async function sharedToken({ replicas, ca }: Group): Promise<Finding> {
  const value = 'shared@mail.example';
  const texts: string[] = [];
  for (const { proxy } of [...replicas, ...replicas]) texts.push((await ask(proxy, ca, `Write to ${value}`)).text);
  // A prompt with only the token: this replica has never seen its value.
  const recalled = await Promise.all(replicas.map(({ proxy }) => ask(proxy, ca, 'What about [EMAIL-1] now?')));
  const right = [...texts, ...recalled.map(({ text }) => text)].filter((text) => text === answerOf(value)).length;
  const wanted = replicas.length * 3;
  return {
    what: 'a token created by one replica is restored by the others',
    seen: `${right} of ${wanted} responses correct`,
    isGood: right === wanted,
  };
}

/** Runs a fault while users are active. */
async function under(group: Group, what: string, work: () => Promise<string>): Promise<Finding> {
  const people = new People(peopleCount, group.balancer, group.ca, what.replace(/\W+/g, '-').slice(0, 20));
  await sleep(2_000);
  const added = await work();
  await sleep(2_000);
  const seen = await people.stop();
  return { what, seen: told(seen) + added, isGood: seen.wrong.length === 0 && seen.answers > 0 };
}

function told({ answers, retries, wrong, longestFailureMs, longestMs, reasons }: Seen): string {
  const why = [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ');
  const failed = retries === 0 ? 'no retries' : `${retries} retries (${why})`;
  const waits = retries === 0 ? '' : `; slowest failed attempt ${seconds(longestFailureMs)}`;
  const wrongs = wrong.length === 0 ? 'no wrong text' : `WRONG TEXTS ${JSON.stringify(wrong.slice(0, 3))}`;
  return `${answers} responses, ${wrongs}, ${failed}${waits}; slowest response ${seconds(longestMs)}`;
}

/** Changes the policy over the API of each replica in turn, under load; halfway, the store is restarted. */
async function policyChanges(group: Group): Promise<Finding> {
  const people = new People(peopleCount / 2, group.balancer, group.ca, 'change');
  const afterAnswer: number[] = [];
  const afterCall: number[] = [];
  let afterRestart = 0;
  for (let i = 0; i < changes; i++) {
    if (i === changes / 2) {
      await group.store.kill();
      await sleep(500);
      await group.store.start();
    }
    const isBlocked = i % 2 === 0;
    const { calledAt, answeredAt } = await change(group.replicas[i % group.replicas.length] as Replica, isBlocked);
    const times = await Promise.all(group.replicas.map((replica) => untilStatus(replica, isBlocked, 10_000)));
    const last = times.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(...times);
    // For the first change after the restart, the store is unavailable until each replica has reconnected.
    if (i === changes / 2) afterRestart = Math.max(0, last - answeredAt);
    else {
      afterAnswer.push(Math.max(0, last - answeredAt));
      afterCall.push(last - calledAt);
    }
  }
  const seen = await people.stop();
  const figures = (values: readonly number[]) =>
    `p50 ${ms(at(values, 0.5))}, p90 ${ms(at(values, 0.9))}, max ${ms(at(values, 1))}`;
  return {
    what: `${changes} policy changes over the API until all replicas apply them; the store is restarted after half of them`,
    seen: `${figures(afterAnswer)} after the API response (after the call: ${figures(afterCall)}), ${ms(afterRestart)} for the first one after the restart; meanwhile ${told(seen)}`,
    isGood: at(afterAnswer, 1) <= inForceMsMax && seen.wrong.length === 0,
  };
}

/** Blocks or unblocks the probe; retries until the API accepts it. Returns the times of the accepted call. */
async function change(replica: Replica, isBlocked: boolean): Promise<{ calledAt: number; answeredAt: number }> {
  const service = { service_name: 'Probe', domain: probe, category: 'blocked', is_blocked: true };
  const until = performance.now() + 20_000;
  while (performance.now() < until) {
    const calledAt = performance.now();
    const answer = isBlocked
      ? await replica.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) })
      : await replica.api(`/shadow-ai/services/${serviceId('probe')}`, { method: 'DELETE' });
    const answeredAt = performance.now();
    await answer?.body?.cancel();
    // A call without a response may still have succeeded.
    if (answer && [201, 204, 404, 409].includes(answer.status)) return { calledAt, answeredAt };
    await sleep(50);
  }
  throw new Error('the API accepts no change');
}

/** When the replica first decided this way; NaN if it did not in time. */
async function untilStatus({ proxy }: Replica, isBlocked: boolean, msMax: number): Promise<number> {
  const until = performance.now() + msMax;
  while (performance.now() < until) {
    const status = await connectStatus(proxy);
    if (status !== 0 && (status === 403) === isBlocked) return performance.now();
    await sleep(5);
  }
  return Number.NaN;
}

function connectStatus(proxy: { host: string; port: number }): Promise<number> {
  return new Promise((resolve) => {
    const socket = net.connect(proxy, () =>
      socket.write(`CONNECT ${probe}:443 HTTP/1.1\r\nHost: ${probe}:443\r\n\r\n`),
    );
    const end = (status: number) => {
      socket.destroy();
      resolve(status);
    };
    socket.setTimeout(1_000, () => end(0));
    socket.once('error', () => end(0));
    socket.once('data', (data) => end(Number(data.toString('latin1').split(' ')[1])));
  });
}

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.round(share * (values.length - 1))] as number;
const ms = (value: number) => `${value.toFixed(0)} ms`;
const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`;
