/** `privet simulate`: which recorded requests another policy would have decided differently. */
import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../../config/load.ts';
import { parsePolicy } from '../../config/policy-document.ts';
import { readTextFile } from '../../config/problem.ts';
import { PrivetError } from '../../core/errors.ts';
import { Policy } from '../../policy/decide.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { anonymizerFinder } from '../anonymizers.ts';
import { savedServices } from '../feeds/saved-services.ts';
import { policyInFolder } from '../policy-store.ts';
import { type Outcome, Simulation, type SimulationResult, subjectsMax } from '../simulation/simulation.ts';
import { type ReadProgress, readTraffic, trafficFormats } from '../simulation/traffic-file.ts';
import { readDirectory } from '../users/directory.ts';
import { type Arguments, type CliIo, type Command, UsageError } from './command.ts';
import { configOption, configured } from './configured.ts';

/** Interval of progress reports; also the time before the first. */
const progressMs = 3_000;

export const simulate: Command = {
  usage: 'simulate --policy FILE --events FILE',
  help: [
    'Compare the current policy with another one over recorded traffic.',
    'Events: audit events as JSON lines, a native access.log of Squid, or a W3C extended log; .gz is unpacked, - is stdin.',
    'The policy file is a configuration file, or only its policy section.',
    'With --fail-on-change, exit code 1 if any decision differs.',
  ].join('\n'),
  options: {
    policy: { value: 'FILE', help: 'the policy to try' },
    events: { value: 'FILE', help: 'recorded traffic' },
    before: { value: 'FILE', help: 'the policy to compare with (default: the configured one)' },
    format: { value: 'FORMAT', help: `${trafficFormats.join(', ')} (default: detected)` },
    config: configOption,
    json: { help: 'as JSON' },
    'fail-on-change': { help: 'exit code 1 if any decision differs' },
  },
  words: [0, 0],
  async run(args, io) {
    const policyFile = needed(args, 'policy');
    const eventsFile = needed(args, 'events');
    const format = args.choice('format', trafficFormats);
    const { config, settings } = configured(args, io);
    const registryOf = (file: string | null) =>
      new ServiceRegistry(savedServices({ config, dataDir: settings.dataDir }, file).services);
    const beforeFile = args.get('before');
    const before = beforeFile === undefined ? policyInFolder(settings.dataDir, config) : readPolicy(beforeFile);
    const after = readPolicy(policyFile);
    const registry = registryOf(before.registry);
    const { networks } = config.auth;
    const anonymizer = anonymizerFinder();
    const simulation = new Simulation({
      before: new Policy({ registry, config: before, networks, anonymizer }),
      after: new Policy({
        // A policy without a registry uses the current one.
        registry: after.registry === null || after.registry === before.registry ? registry : registryOf(after.registry),
        config: after,
        networks,
        anonymizer,
      }),
      groupsOf: groupsOf(config),
    });
    const read = await readTraffic({
      source: eventsFile === '-' ? { stream: io.stdin } : { file: eventsFile },
      format,
      take: (traffic) => simulation.add(traffic),
      onProgress: progressTo(io),
    });
    const result = simulation.result();
    const { lines, unreadable } = read;
    // Without requests, do not report that nothing differs.
    if (lines > 0 && result.events === 0)
      throw new PrivetError(
        'invalid_input',
        `There are no requests in ${eventsFile === '-' ? 'the input' : eventsFile}.`,
        {
          hint: 'Give audit events as JSON lines, a native access.log of Squid, or a W3C extended log.',
        },
      );
    if (args.has('json'))
      io.stdout.write(`${JSON.stringify({ format: read.format, lines, unreadable, ...result }, null, 2)}\n`);
    else io.stdout.write(report(result, read));
    return args.has('fail-on-change') && result.changed > 0 ? 1 : 0;
  },
};

function needed(args: Arguments, name: string): string {
  const value = args.get(name);
  if (value === undefined || value === '') throw new UsageError(`--${name} FILE is needed`);
  return value;
}

function readPolicy(file: string): Config['policy'] {
  const text = file === '-' ? readFileSync(0, 'utf8') : readTextFile(file);
  if (typeof text !== 'string') throw new ConfigError([text]);
  const { policy, problems } = parsePolicy(text, file);
  if (policy === undefined) throw new ConfigError(problems);
  return policy;
}

/** The groups of known users; logs of other proxies only have names. */
function groupsOf({ auth }: Config): (user: string) => readonly string[] | undefined {
  const { users } = readDirectory(auth.proxy);
  return (user) => users.get(user.normalize('NFC'))?.groups;
}

/** Reports progress on stderr for large files. */
function progressTo(io: CliIo): (progress: ReadProgress) => void {
  let told = performance.now();
  return ({ lines, share }) => {
    if (performance.now() - told < progressMs) return;
    told = performance.now();
    const part = share === undefined ? '' : ` (${Math.floor(share * 100)} %)`;
    io.stderr.write(`${lines.toLocaleString('en')} lines${part}\n`);
  };
}

function report(
  { events, changed, undecided, diffs }: SimulationResult,
  { lines, unreadable, format }: ReadProgress,
): string {
  const n = (count: number) => count.toLocaleString('en');
  const out = [
    `${n(events)} requests of ${n(lines)} lines (${format ?? 'empty'}), ${n(changed)} decided differently` +
      (undecided === 0 ? '' : `, ${n(undecided)} undecided: a rule depends on their path or size, which the log lacks`),
  ];
  if (unreadable > 0) out.push(`${n(unreadable)} lines could not be read`);
  for (const { before, after, count, subjects, examples } of diffs) {
    const who = subjects >= subjectsMax ? `${n(subjects)} or more` : n(subjects);
    out.push('', `${n(count)} × ${outcomeText(before)}  →  ${outcomeText(after)}   (${who} subjects)`);
    for (const { host, subject, at } of examples) out.push(`    ${at}  ${subject}  ${host}`);
  }
  return `${out.join('\n')}\n`;
}

function outcomeText({ action, inspect, rule, coach, tools }: Outcome): string {
  const parts = [
    action,
    ...(inspect === 'none' ? [] : [inspect]),
    ...(coach ? ['coach'] : []),
    ...(tools ? [`tools ${tools}`] : []),
  ];
  return `${parts.join(', ')} [${rule}]`;
}
