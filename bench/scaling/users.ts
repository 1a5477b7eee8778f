/** Calculates a company's sizing from the figures of one core. All assumptions are named and can be adjusted. */
import { type Machine, numbersOf } from '../../gateway/proxy/listen/machine.ts';
import type { CoreFigures } from './core.ts';

/** Use by a company. Rates are means over the busiest hour, per active user. */
export type Use = {
  readonly users: number;
  /** Share of users active in the busiest hour. */
  readonly active: number;
  /** Peak-to-mean ratio within the hour, for all rates and therefore for open connections. */
  readonly peak: number;
  readonly tunnelsPerHour: number;
  /** Lifetime of a tunnel, in minutes. */
  readonly tunnelMinutes: number;
  readonly kilobitsPerSecond: number;
  /** New connections to intercepted services, and their lifetime in minutes. */
  readonly connectionsPerHour: number;
  readonly connectionMinutes: number;
  /** Requests to them: prompts with streamed answers, and all others of their pages. */
  readonly promptsPerHour: number;
  readonly eventsPerPrompt: number;
  readonly otherPerHour: number;
  /** Services with open sessions, per user. */
  readonly sessions: number;
  /** Share of tunnels to the most frequent external address. */
  readonly busiestAddress: number;
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
  busiestAddress: 0.05,
};

/** The machines. */
export type Build = {
  /** Maximum utilisation of a process at peak. */
  readonly busy: number;
  /** Processes of a replica, one core each. */
  readonly workers: number;
  /** Descriptors of a process (`LimitNOFILE`, `ulimits`). */
  readonly descriptors: number;
  /** Memory of a replica. */
  readonly memoryGiB: number;
  /** Ports of one address to one other (`ip_local_port_range`). */
  readonly ports: number;
  /** Connections per balancer; the replicas see one address for each. */
  readonly balancerConnections: number;
};

/** The machines of docs/scaling.md, with the descriptors of the shipped unit and compose files. */
export const machines: Build = {
  busy: 0.6,
  workers: 4,
  descriptors: 262_144,
  memoryGiB: 32,
  ports: 64_512,
  balancerConnections: 500_000,
};

/** Memory of a process before its first connection: heap, code, certificates, caches. */
const processGiB = 160 / 1024;
/**
 * Kernel memory of a socket. Tunnels and intercepted connections have two; with their process memory this matches the
 * 20 and 80 KiB measured in a cgroup (gateway/proxy/listen/machine.ts).
 */
const socketKiB = 6;
/** Node's default heap limit on a machine with plenty of memory. */
const heapBytes = 4_288 * 2 ** 20;
const plenty = Number.MAX_SAFE_INTEGER;
/** HAProxy: memory of an active connection. */
const balancerKiB = 35;
/** Bytes in Redis: per session of five tokens (bench/sessions.ts), per audit event (bench/events.ts). */
const sessionBytes = 2_800;
const eventBytes = 660;
/** Events that a store keeps (`events.keep`), and events written per second (docs/audit.md). */
const eventsKept = 1_000_000;
const eventsTaken = { redis: 53_000, postgres: 12_800 } as const;

/** The default connection limit of a process. */
function placesOf(machine: Machine) {
  return numbersOf(
    { connections: 'auto', client_connections: 'auto', tunnels: 'auto', client_tunnels: 'auto' },
    machine,
  );
}

/** One line of the calculation. */
export type Line = { readonly what: string; readonly rate: string; readonly each: string; readonly cores: number };

/** A limited resource: `has` per process or replica, `needs` in total. */
export type Bound = {
  readonly what: string;
  readonly needs: string;
  readonly has: string;
  readonly replicas: number;
};

/** The company's needs at peak. */
export type Need = {
  readonly lines: readonly Line[];
  readonly cores: number;
  readonly bounds: readonly Bound[];
  /** The resource that requires the most replicas. */
  readonly decides: Bound;
  readonly replicas: number;
  readonly openTunnels: number;
  readonly openConnections: number;
  readonly memoryGiB: number;
  readonly gigabitsPerSecond: number;
  readonly newPerSecond: number;
  readonly storeCallsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly sessionsGiB: number;
  readonly eventsGiB: number;
  readonly balancers: number;
};

/** Calculates the needs. */
export function needOf(use: Use, core: CoreFigures, build: Build = machines): Need {
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
    line('events of their responses', perSecond(use.promptsPerHour) * use.eventsPerPrompt, 'events', core.event),
    line('other requests to these services', perSecond(use.otherPerHour), 'requests', core.chat),
  ];
  const cores = lines.reduce((sum, one) => sum + one.cores, 0);
  // Open connections are proportional to the rate.
  const openTunnels = perSecond(use.tunnelsPerHour) * use.tunnelMinutes * 60;
  const openConnections = perSecond(use.connectionsPerHour) * use.connectionMinutes * 60;
  const open = openTunnels + openConnections;
  const balancers = Math.ceil(open / build.balancerConnections);
  const connectionsGiB =
    (openTunnels * (core.tunnelKiB + 2 * socketKiB) + openConnections * (core.connectionKiB + 2 * socketKiB)) / 2 ** 20;
  // The gateway's own limit (`auth.limits: auto`).
  const process = { openFiles: build.descriptors, memoryBytes: (build.memoryGiB * 2 ** 30) / build.workers, heapBytes };
  const weights = (machine: Machine) => {
    const { tunnels, read } = placesOf(machine);
    return { needed: openTunnels + openConnections * read.total, each: read.total, tunnels };
  };
  const bound = (what: string, needs: string, has: string, replicas: number): Bound => ({
    what,
    needs,
    has,
    replicas: Math.ceil(replicas),
  });
  const placesBound = (what: string, of: (tunnels: number) => string, machine: Machine) => {
    const { needed, each, tunnels } = weights(machine);
    return bound(
      what,
      `${whole(needed)} weighted connections: 1 per tunnel, ${each} per intercepted connection`,
      `${of(tunnels)} in each of ${build.workers} processes`,
      needed / tunnels / build.workers,
    );
  };
  const bounds = [
    bound(
      'CPU',
      `${cores.toPrecision(3)} cores`,
      `${build.busy * 100} % of a core in each of ${build.workers} processes`,
      cores / build.busy / build.workers,
    ),
    placesBound('descriptors', (tunnels) => `two of ${whole(build.descriptors)} each: ${whole(tunnels)}`, {
      ...process,
      memoryBytes: plenty,
      heapBytes: plenty,
    }),
    placesBound('memory', (tunnels) => `half of ${build.memoryGiB} GiB: ${whole(tunnels)}`, {
      ...process,
      openFiles: plenty,
    }),
    placesBound('descriptors and memory together (`auth.limits`)', whole, process),
    bound(
      'ports of the load balancers',
      `${whole(open)} connections`,
      `${whole(build.ports)} from each of ${balancers} load balancers`,
      open / build.ports / balancers,
    ),
    bound(
      'ports to the busiest external address',
      `${whole(openTunnels * use.busiestAddress)} tunnels`,
      whole(build.ports),
      (openTunnels * use.busiestAddress) / build.ports,
    ),
  ];
  const decides = bounds.reduce((most, one) => (one.replicas > most.replicas ? one : most));
  return {
    lines,
    cores,
    bounds,
    decides,
    replicas: decides.replicas,
    openTunnels,
    openConnections,
    memoryGiB: connectionsGiB + decides.replicas * build.workers * processGiB,
    gigabitsPerSecond: (bytesPerSecond * 8) / 1e9,
    newPerSecond: perSecond(use.tunnelsPerHour + use.connectionsPerHour),
    storeCallsPerSecond: perSecond(use.promptsPerHour),
    eventsPerSecond: perSecond(use.tunnelsPerHour + use.promptsPerHour + use.otherPerHour),
    sessionsGiB: (use.users * use.sessions * sessionBytes) / 2 ** 30,
    eventsGiB: (eventsKept * eventBytes) / 2 ** 30,
    balancers,
  };
}

/** The calculation as shown on the page. */
export function needLines(use: Use, core: CoreFigures, build: Build = machines): string[] {
  const need = needOf(use, core, build);
  const cores = (value: number) => (value < 0.1 ? value.toFixed(2) : value.toFixed(1));
  const stores = (kind: keyof typeof eventsTaken) =>
    `${kind} ${Math.ceil(need.eventsPerSecond / (eventsTaken[kind] * build.busy))} (${whole(eventsTaken[kind])}/s each)`;
  const seconds = (factor: number) => whole(eventsKept / (need.eventsPerSecond * factor));
  return [
    `With these figures and the assumptions below, ${use.users.toLocaleString('en-US')} users need:`,
    '',
    '| at peak | rate | CPU each | cores |',
    '|---|---:|---:|---:|',
    ...need.lines.map((one) => `| ${one.what} | ${one.rate} | ${one.each} | ${cores(one.cores)} |`),
    `| **total** | | | **${cores(need.cores)}** |`,
    '',
    `| limit, for replicas of ${build.workers} workers | needed | per replica | replicas |`,
    '|---|---:|---:|---:|',
    ...need.bounds.map((one) => `| ${one.what} | ${one.needs} | ${one.has} | ${one.replicas} |`),
    `| **highest: ${need.decides.what}** | | | **${need.replicas}** |`,
    '',
    '| required at peak | |',
    '|---|---|',
    `| replicas | ${need.replicas} of ${build.workers} workers, ${build.workers} cores and ${build.memoryGiB} GiB, plus one spare per site |`,
    `| open concurrently | ${whole(need.openTunnels)} tunnels, ${whole(need.openConnections)} intercepted connections |`,
    `| memory of all replicas | ${Math.ceil(need.memoryGiB)} GiB, including kernel sockets |`,
    `| load balancers | ${need.balancers} of ${whole(build.balancerConnections)} connections: each \`maxconn ${build.balancerConnections}\`, ${whole(build.balancerConnections * 2 + 1_000)} descriptors, ${whole((build.balancerConnections * balancerKiB) / 2 ** 20)} GiB; none if clients choose the replica |`,
    `| external addresses, with NAT | ${Math.ceil((need.openTunnels * use.busiestAddress) / build.ports)} |`,
    `| network | ${need.gigabitsPerSecond.toFixed(0)} Gbit/s in each direction, ${whole(need.newPerSecond)} new connections a second |`,
    `| store calls for tokens | at most ${whole(need.storeCallsPerSecond)} a second |`,
    `| audit events | ${whole(need.eventsPerSecond)} a second; stores needed at ${build.busy * 100} % load: ${stores('redis')} or ${stores('postgres')} |`,
    `| events in a store | ${whole(eventsKept)} (\`events.keep\`): the last ${seconds(1)} s at peak, ${seconds(1 / use.peak)} s on average, if one store gets all |`,
    `| memory of Redis | ${need.sessionsGiB.toFixed(2)} GiB of sessions, ${need.eventsGiB.toFixed(2)} GiB of events: \`maxmemory\` ${Math.ceil((need.sessionsGiB + need.eventsGiB) * 2)} GiB |`,
  ];
}

/** A readable number: 15,556, or 2.4 if it is small. */
export function whole(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(2);
}
