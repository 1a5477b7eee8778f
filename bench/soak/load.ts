/**
 * A client process with four modes: as many exchanges as possible with a fixed concurrency (`closed`), a fixed rate
 * (`paced`), new hosts (`mint`), or none (`stop`, which closes its connections).
 */

import { randomFrom } from '../../eval/random.ts';
import { aborts } from './aborts.ts';
import { type Action, actions, type Clients, makeClients, mint } from './actions.ts';
import type { Fixture } from './client.ts';
import { below } from './texts.ts';

/** A command for a client process. */
export type Order =
  | {
      readonly kind: 'begin';
      readonly fixture: Fixture;
      readonly lane: number;
      readonly seed: number;
      readonly only?: string;
    }
  | { readonly kind: 'closed'; readonly lanes: number; readonly id: number }
  | { readonly kind: 'paced'; readonly perSecond: number; readonly id: number }
  | { readonly kind: 'mint'; readonly hosts: number; readonly id: number }
  | { readonly kind: 'once' | 'stop' | 'count'; readonly id: number };

/** Its totals since the start. */
export type Done = {
  readonly done: number;
  readonly inFlight: number;
  /** Exchanges skipped because too many were in progress. */
  readonly skipped: number;
  readonly byAction: Readonly<Record<string, { readonly count: number; readonly ms: number; readonly maxMs: number }>>;
  /** Failures: action and error → count. */
  readonly errors: Readonly<Record<string, number>>;
};

/** Maximum concurrent exchanges per process, so that no endless queue builds up. */
const inFlightMax = 150;
/** Time limit of an action; single steps have shorter ones. */
const actionMsMax = 240_000;
/** Maximum number of distinct errors. */
const errorKindsMax = 50;
/** One in this many exchanges is an abort. */
const abortShare = 8;

let clients: Clients | undefined;
/** The exchanges whose names contain a word; default all. */
let only = '';
let done = 0;
let inFlight = 0;
let skipped = 0;
let stopLoad = () => {};
const byAction: Record<string, { count: number; ms: number; maxMs: number }> = {};
const errors: Record<string, number> = {};

/** A shuffled deck of actions that keeps their shares. */
function* decks(list: readonly Action[], random: () => number): Generator<Action, never> {
  const smallest = Math.min(...list.map(({ weight }) => weight));
  const deck = list.flatMap((action) => new Array<Action>(Math.round(action.weight / smallest)).fill(action));
  for (;;) {
    for (let i = deck.length - 1; i > 0; i--) {
      const j = below(random, i + 1);
      [deck[i], deck[j]] = [deck[j] as Action, deck[i] as Action];
    }
    yield* deck;
  }
}

async function run(action: Action): Promise<void> {
  const began = performance.now();
  inFlight++;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('has not ended')), actionMsMax);
  });
  try {
    await Promise.race([action.run(clients as Clients), late]);
  } catch (error) {
    const kind = `${action.name}: ${(error as Error).message}`;
    const key = kind in errors || Object.keys(errors).length < errorKindsMax ? kind : 'others';
    errors[key] = (errors[key] ?? 0) + 1;
  }
  clearTimeout(timer);
  inFlight--;
  done++;
  const ms = performance.now() - began;
  byAction[action.name] ??= { count: 0, ms: 0, maxMs: 0 };
  const sum = byAction[action.name] as { count: number; ms: number; maxMs: number };
  sum.count++;
  sum.ms += ms;
  sum.maxMs = Math.max(sum.maxMs, ms);
}

function makeNext(random: () => number): () => Action {
  const [usual, rough] = [actions, aborts].map((list) => list.filter(({ name }) => name.includes(only)));
  const [one, other] = [usual ?? [], rough ?? []].map((list) => (list.length > 0 ? decks(list, random) : undefined));
  return () =>
    (((below(random, abortShare) === 0 ? other : one) ?? one ?? other) as Generator<Action, never>).next().value;
}

function closedLoop(lanes: number, next: () => Action): void {
  let isOver = false;
  stopLoad = () => {
    isOver = true;
  };
  for (let i = 0; i < lanes; i++) {
    void (async () => {
      while (!isOver) await run(next());
    })();
  }
}

function pacedLoop(perSecond: number, next: () => Action): void {
  let due = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    due += ((now - last) * perSecond) / 1000;
    last = now;
    for (; due >= 1; due--) {
      if (inFlight < inFlightMax) void run(next());
      else skipped++;
    }
  }, 5);
  stopLoad = () => clearInterval(timer);
}

async function idle(): Promise<void> {
  while (inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function close({ agents, sessions, open }: Clients): Promise<void> {
  await idle();
  for (const agent of agents) agent.destroy();
  for (const session of open) session.close();
  sessions.fill(undefined);
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'begin') {
    only = order.only ?? '';
    clients = makeClients(order.fixture, order.lane, randomFrom(order.seed + order.lane));
    return;
  }
  const mine = clients as Clients;
  const next = makeNext(mine.random);
  if (order.kind !== 'count') stopLoad();
  if (order.kind === 'closed') closedLoop(order.lanes, next);
  else if (order.kind === 'paced') pacedLoop(order.perSecond, next);
  else if (order.kind === 'stop') await close(mine);
  else if (order.kind === 'once')
    await Promise.all([...actions, ...aborts].filter(({ name }) => name.includes(only)).map(run));
  else if (order.kind === 'mint') {
    const lane = async () => {
      while (mine.minted < order.hosts)
        await run({ name: 'new host, no request', weight: 1, run: (one) => mint(one, false) });
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
  }
  process.send?.({ id: order.id, done, inFlight, skipped, byAction, errors });
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
