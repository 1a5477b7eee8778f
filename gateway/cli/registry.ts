/** `privet registry`: checks, imports and exports registries. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../config/problem.ts';
import { builtinServicesFile, loadServices, parseServices } from '../../config/services.ts';
import { yamlPackage } from '../../config/yaml-package.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { categories, type Service } from '../../policy/service.ts';
import { csvCell } from '../csv.ts';
import { diffOf, type FeedList, feedFormats, keyOf, overlay, readEntries } from '../feeds/entries.ts';
import { savedServices } from '../feeds/saved-services.ts';
import { replaceFile } from '../stores/atomic-file.ts';
import { type Arguments, type CliIo, type Command, UsageError, unknownAction } from './command.ts';
import { configOption, configured } from './configured.ts';

const exportFormats = ['yaml', 'json', 'csv', 'v2fly'] as const;

export const registry: Command = {
  usage: 'registry lint|import|export [FILE]',
  help: [
    'Check a registry file, import a list, or export the registry.',
    'lint [FILE]    Errors one per line as file:line:column: message, exit code 2. Default: the shipped registry.',
    'import FILE    Merge a list (CSV, v2fly domain list, registry file) into the registry of the configuration and',
    '               write the result to --output, else policy.registry. Prints the changes; --dry-run writes nothing.',
    'export         Print the registry of the configuration, with approved feeds and changes made over the API.',
  ].join('\n'),
  options: {
    format: {
      value: 'FORMAT',
      help: `of the list: ${feedFormats.join(', ')}; of an export: ${exportFormats.join(', ')}`,
    },
    category: {
      value: 'NAME',
      help: 'for entries without one (import; default: known services keep theirs, new ones are monitored); only these (export)',
    },
    only: { value: 'ATTRIBUTE', help: 'v2fly list: only entries with this attribute (repeat for more)', isList: true },
    without: { value: 'ATTRIBUTE', help: 'v2fly list: no entries with this attribute (repeat for more)', isList: true },
    output: { value: 'FILE', help: 'registry file to write' },
    'dry-run': { help: 'write nothing' },
    config: configOption,
  },
  words: [1, 2],
  async run(args, io) {
    const [action = '', file] = args.words;
    if (action === 'lint') return lint(file ?? builtinServicesFile, io);
    if (action === 'import') return importList(file, args, io);
    if (action === 'export') return exportRegistry(args, io);
    throw unknownAction(action, ['lint', 'import', 'export']);
  },
};

function lint(file: string, io: CliIo): number {
  const { services, problems } = parseServices(readFileSync(file, 'utf8'), file);
  if (services === undefined) throw new ConfigError(problems);
  const { size } = new ServiceRegistry(services);
  const count = (category: string) => services.filter((service) => service.category === category).length;
  io.stdout.write(`${file}: ok, ${size} services (${categories.map((name) => `${count(name)} ${name}`).join(', ')})\n`);
  return 0;
}

async function importList(file: string | undefined, args: Arguments, io: CliIo): Promise<number> {
  if (file === undefined) throw new UsageError('import needs a FILE');
  const { config } = configured(args, io);
  const base = loadServices(config.policy.registry ?? undefined);
  const isDry = args.has('dry-run');
  const output = args.get('output') ?? config.policy.registry;
  if (output === null && !isDry) throw new UsageError('policy.registry is not set; use --output FILE or --dry-run');
  const list = await readList(file, args);
  const { services, warnings } = overlay(base, list.entries);
  for (const warning of [...list.warnings, ...warnings]) io.stderr.write(`warning: ${warning}\n`);
  // Services are compared by their first domain, like list entries.
  const plain = (all: readonly Service[]) => [...all].map(recordOf).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { added, changed, removed } = diffOf(plain(base), plain(services));
  for (const { domain, service_name: name, category } of added) io.stdout.write(`+ ${domain} (${name}): ${category}\n`);
  for (const { domain, before, after } of changed) {
    const names = Object.keys({ ...before, ...after }).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    );
    io.stdout.write(
      `~ ${domain}: ${names.map((key) => `${key} ${textOf(before[key])} -> ${textOf(after[key])}`).join(', ')}\n`,
    );
  }
  if (!isDry && output !== null) {
    replaceFile(output, yamlOf(services));
    const { services: again, problems } = parseServices(readFileSync(output, 'utf8'), output);
    if (again === undefined) throw new ConfigError(problems);
  }
  const done = isDry ? 'nothing written' : `${output} written`;
  io.stdout.write(`${added.length} added, ${changed.length} changed, ${removed.length} removed; ${done}\n`);
  return 0;
}

/** Included lists are in the same folder. */
async function readList(file: string, args: Arguments): Promise<FeedList> {
  return readEntries(await readFile(file, 'utf8'), {
    format: args.choice('format', feedFormats) ?? 'auto',
    category: args.choice('category', categories),
    name: basename(file),
    include: (name) => readFile(join(dirname(file), name), 'utf8'),
    only: args.all('only'),
    without: args.all('without'),
  });
}

function exportRegistry(args: Arguments, io: CliIo): number {
  const { config, settings } = configured(args, io);
  const { services, warnings } = savedServices({ config, dataDir: settings.dataDir });
  for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
  const wanted = args.choice('category', categories);
  const chosen = services.filter(({ category }) => wanted === undefined || category === wanted);
  const format = args.choice('format', exportFormats) ?? 'yaml';
  io.stdout.write({ yaml: yamlOf, json: jsonOf, csv: csvOf, v2fly: domainsOf }[format](chosen));
  return 0;
}

function recordOf(service: Service): { domain: string } & Record<string, unknown> {
  const { id: _id, key: _key, created_at: _created, updated_at: _updated, is_blocked, ...fields } = service;
  const filled = Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const follows = is_blocked === (service.category === 'blocked');
  return { domain: service.domain, ...Object.fromEntries(filled), ...(follows ? {} : { is_blocked }) };
}

const yamlOf = (services: readonly Service[]) =>
  yamlPackage().stringify({ version: 1, services: services.map(recordOf) });

const jsonOf = (services: readonly Service[]) =>
  `${JSON.stringify({ version: 1, services: services.map(recordOf) }, null, 1)}\n`;

const csvColumns = ['service_name', 'domain', 'alternate_domains', 'host_patterns', 'url_prefixes', 'category'];
const moreColumns = ['scope', 'is_blocked', 'kind', 'vendor', 'country', 'reason', 'user_content'];

/** RFC 4180; hosts are separated by spaces, so that `registry import` can read it. */
function csvOf(services: readonly Service[]): string {
  const columns = [...csvColumns, ...moreColumns];
  const rows = services.map((service) => {
    const record = recordOf(service);
    return columns.map((name) => {
      const value = record[name];
      return csvCell(Array.isArray(value) ? value.join(' ') : value);
    });
  });
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** The whole hosts of each service. */
function domainsOf(services: readonly Service[]): string {
  return services
    .map((service) => {
      const own = service.scope === 'path' ? [] : [service.domain];
      const hosts = [...own, ...service.alternate_domains];
      return hosts.length === 0
        ? ''
        : [`# ${service.service_name}`, ...hosts.map((host) => `domain:${host}`), ''].join('\n');
    })
    .join('');
}

function textOf(value: unknown): string {
  return value === undefined ? 'none' : Array.isArray(value) ? `[${value.join(' ')}]` : String(value);
}
