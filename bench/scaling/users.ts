/** From what one core does to what a company needs. Assumptions are named, so that they can be put right. */
import type { CoreFigures } from './core.ts';

/** How a company uses it. Rates are means over the busiest hour, per person at work. */
export type Use = {
  readonly users: number;
  /** Of them at work in the busiest hour. */
  readonly active: number;
  /** The busiest seconds of the hour over its mean. */
  readonly peak: number;
  readonly tunnelsPerHour: number;
  /** How long a tunnel stands, in minutes. */
  readonly tunnelMinutes: number;
  readonly kilobitsPerSecond: number;
  /** New connections to services that are intercepted, and how long each is kept, in minutes. */
  readonly connectionsPerHour: number;
  readonly connectionMinutes: number;
  /** Requests to them: prompts and completions, whose answers are streamed, and everything else on their pages. */
  readonly promptsPerHour: number;
  readonly eventsPerPrompt: number;
  readonly otherPerHour: number;
  /** Services that somebody has open sessions with. */
  readonly sessions: number;
};

/** The assumptions of docs/scaling.md. */
export const company: Use = {
  users: 100_000,
  active: 0.7,
  peak: 2,
  tunnelsPerHour: 400,
  tunnelMinutes: 5,
  kilobitsPerSecond: 150,
  connectionsPerHour: 10,
  connectionMinutes: 10,
  promptsPerHour: 30,
  eventsPerPrompt: 200,
  otherPerHour: 60,
  sessions: 3,
};

/** How much of its time a process may be busy, so that the busiest seconds find it with some to spare. */
const busyShare = 0.6;
/** Descriptors of a process: two for a tunnel, one and a share of a kept one for an intercepted connection. */
const descriptors = 262_144;
const sessionBytes = 2_800;

/** One line of the arithmetic. */
export type Line = { readonly what: string; readonly rate: string; readonly each: string; readonly cores: number };

/** What the company needs. */
export type Need = {
  readonly lines: readonly Line[];
  readonly cores: number;
  readonly processes: number;
  readonly openTunnels: number;
  readonly openConnections: number;
  readonly memoryGiB: number;
  readonly gigabitsPerSecond: number;
  readonly newPerSecond: number;
  readonly storeCallsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly storeGiB: number;
};

/** Works it out. */
export function needOf(use: Use, core: CoreFigures): Need {
  const people = use.users * use.active;
  const perSecond = (perHour: number) => (people * perHour * use.peak) / 3_600;
  const bytesPerSecond = (people * use.kilobitsPerSecond * 1_000 * use.peak) / 8;
  const line = (what: string, rate: number, unit: string, ms: number): Line => ({
    what,
    rate: `${whole(rate)} ${unit}/s`,
    each: `${ms.toPrecision(3)} ms`,
    cores: (rate * ms) / 1_000,
  });
  const lines = [
    line('tunnels opened and closed', perSecond(use.tunnelsPerHour), 'tunnels', core.tunnel),
    line('bytes through tunnels', bytesPerSecond / 2 ** 30, 'GiB', core.gibibyte),
    line('connections to intercepted services', perSecond(use.connectionsPerHour), 'connections', core.connection),
    line('prompts with values to mask', perSecond(use.promptsPerHour), 'requests', core.maskedChat),
    line('events of their answers', perSecond(use.promptsPerHour) * use.eventsPerPrompt, 'events', core.event),
    line('other requests to these services', perSecond(use.otherPerHour), 'requests', core.chat),
  ];
  const cores = lines.reduce((sum, one) => sum + one.cores, 0);
  const openTunnels = (people * use.tunnelsPerHour * use.tunnelMinutes) / 60;
  const openConnections = (people * use.connectionsPerHour * use.connectionMinutes) / 60;
  const processes = Math.ceil(
    Math.max(cores / busyShare, (openTunnels * use.peak * 2 + openConnections * use.peak * 2) / descriptors),
  );
  return {
    lines,
    cores,
    processes,
    openTunnels,
    openConnections,
    memoryGiB: (openTunnels * core.tunnelKiB + openConnections * core.connectionKiB) / 2 ** 20 + processes * 0.25,
    gigabitsPerSecond: (bytesPerSecond * 8) / 1e9,
    newPerSecond: perSecond(use.tunnelsPerHour + use.connectionsPerHour),
    storeCallsPerSecond: perSecond(use.promptsPerHour),
    eventsPerSecond: perSecond(use.tunnelsPerHour + use.promptsPerHour + use.otherPerHour),
    storeGiB: (use.users * use.sessions * sessionBytes) / 2 ** 30,
  };
}

/** A number as people read it: 15,556, or 2.4 where it is small. */
export function whole(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(2);
}
