/**
 * The effective policy: from the configuration file, or a replacement that an administrator set over the API, preceded
 * by one rule for each granted exception. A replacement is kept in the store, so that it reaches every replica, and in
 * the data folder, for starts while the store is unavailable.
 */
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../config/load.ts';
import { type ParsedPolicy, parsePolicy, policyLengthMax } from '../config/policy-document.ts';
import { formatProblem } from '../config/problem.ts';
import { PrivetError } from '../core/errors.ts';
import { Policy } from '../policy/decide.ts';
import { ServiceRegistry } from '../policy/registry.ts';
import type { RuleConfig } from '../policy/rule.ts';
import type { Log } from './observe/log.ts';
import { readFileIfPresent, replaceFile } from './stores/atomic-file.ts';
import { type ExceptionRequest, Exceptions } from './stores/exceptions.ts';
import { changeRecords, following } from './stores/records.ts';
import type { Stores } from './stores/stores.ts';

/** A policy that replaces that of the file; `version` counts replacements. */
type StoredPolicy = { readonly version: number; readonly yaml: string | null; readonly at: string };

/** Origin of the effective policy; `version` identifies it for the next replacement. */
export type PolicyState = { readonly version: string; readonly source: 'file' | 'store'; readonly yaml: string | null };

export type PolicyStoreOptions = {
  readonly stores: Pick<Stores, 'kind' | 'records' | 'changes' | 'opened'>;
  readonly dataDir: string;
  readonly log: Log;
};

const recordId = 'policy';
const none: StoredPolicy = { version: 0, yaml: null, at: '1970-01-01T00:00:00.000Z' };

/** The stored policy and the exceptions of all replicas, as known to this one. */
export class PolicyStore {
  readonly exceptions: Exceptions;
  readonly #options: PolicyStoreOptions;
  readonly #file: string;
  #stored: StoredPolicy;
  #policy: Config['policy'] | undefined;
  #granted: readonly ExceptionRequest[] = [];
  #onChange: () => void = () => {};
  readonly #follow = following(() => this.#read());
  /** The error that kept the policy from being saved to the data folder. */
  #unkept: unknown;

  /** Reads the data folder. @throws PrivetError `unavailable` when its content is damaged. */
  constructor(options: PolicyStoreOptions) {
    this.#options = options;
    this.exceptions = new Exceptions({ records: options.stores.records });
    this.#file = fileIn(options.dataDir);
    this.#stored = readStored(this.#file);
    this.#policy = this.#parsed(this.#stored);
  }

  /** Starts following the store; `onChange` is called when {@link effective} changes. */
  follow(onChange: () => void): void {
    const { stores } = this.#options;
    this.#onChange = onChange;
    stores.changes.onChange(({ kind }) => {
      if (kind === 'policy' || kind === 'exception') this.#followQuietly();
    });
    stores.opened.then(
      () => this.#followQuietly(),
      () => {},
    );
  }

  /** The file's configuration with the effective policy. */
  effective(config: Config): Config {
    if (this.#policy === undefined && this.#granted.flatMap(ruleOf).length === 0) return config;
    return { ...config, policy: this.inPlace(this.#policy ?? config.policy, config) };
  }

  /** A policy as it would be applied: with granted exceptions, and the registry setting of the file. */
  inPlace(policy: Config['policy'], { policy: { registry } }: Config): Config['policy'] {
    // The registry is a file on this machine, so it cannot be set over the API.
    return { ...policy, registry, rules: [...this.#granted.flatMap(ruleOf), ...policy.rules] };
  }

  /** `yaml` is null while the file's policy applies. */
  get state(): PolicyState {
    const { version, yaml } = this.#stored;
    return { version: String(version), source: yaml === null ? 'file' : 'store', yaml };
  }

  /**
   * Replaces the policy with this version; null restores that of the file. Resolves to the new version once it applies
   * here.
   * @throws PrivetError `invalid_input` with the problems in `details`, `conflict` when the version is outdated,
   * `unavailable` when it applies but could not be saved for a restart.
   */
  async replace(yaml: string | null, version: string | undefined): Promise<string> {
    // Compile it too: a policy that only looks valid would be stored, and no process could start with it.
    if (yaml !== null) new Policy({ registry: new ServiceRegistry(), config: checked(parseStored(yaml)) });
    const { stores } = this.#options;
    const next = await changeRecords({
      records: stores.records,
      kind: 'policy',
      read: () => stores.records.get('policy', [recordId]),
      decide: (set) => {
        const before = newer(set.records.get(recordId) as StoredPolicy | undefined, this.#ownOnly());
        if (version !== undefined && version !== String(before.version))
          throw new PrivetError('conflict', 'Another policy was published in the meantime.', {
            hint: 'Get the policy again and send the change with its new version.',
            details: { version: String(before.version) },
          });
        const result: StoredPolicy = { version: before.version + 1, yaml, at: new Date().toISOString() };
        return { changes: new Map([[recordId, result]]), result };
      },
    });
    await this.#follow();
    if (this.#unkept !== undefined && stores.kind === 'memory') throw this.#unkept;
    return String(next.version);
  }

  /** The memory store forgets; then the file applies. */
  #ownOnly(): StoredPolicy {
    return this.#options.stores.kind === 'memory' ? this.#stored : none;
  }

  #followQuietly(): void {
    this.#follow().catch((error: unknown) => {
      this.#options.log.error({ event: 'policy_sync_failed', error }, 'the policy could not be read from the store');
      this.#options.stores.changes.again('policy');
    });
  }

  async #read(): Promise<void> {
    const { records } = this.#options.stores;
    const [policies, exceptions] = await Promise.all([records.get('policy', [recordId]), records.list('exception')]);
    const stored = newer(policies.records.get(recordId) as StoredPolicy | undefined, this.#ownOnly());
    const granted = ([...exceptions.records.values()] as ExceptionRequest[]).filter(({ state }) => state === 'granted');
    const isSame = stored.version === this.#stored.version && stored.yaml === this.#stored.yaml;
    if (isSame && isSameSet(granted, this.#granted)) return;
    const before = { stored: this.#stored, policy: this.#policy, granted: this.#granted };
    this.#policy = isSame ? this.#policy : this.#parsed(stored);
    this.#stored = stored;
    this.#granted = granted;
    try {
      this.#onChange();
    } catch (error) {
      // A policy that cannot be applied is discarded and not saved for the next start.
      this.#stored = before.stored;
      this.#policy = before.policy;
      this.#granted = before.granted;
      throw error;
    }
    if (!isSame) this.#noteTaken(stored);
  }

  #noteTaken(stored: StoredPolicy): void {
    this.#keep();
    const { log } = this.#options;
    log.info(
      { event: 'policy_replaced', version: stored.version, source: this.state.source },
      'another policy now applies',
    );
  }

  /** A full disk does not stop a policy from being applied; the store still has it, except the memory store. */
  #keep(): void {
    this.#unkept = undefined;
    try {
      replaceFile(this.#file, `${JSON.stringify(this.#stored)}\n`);
    } catch (error) {
      this.#unkept = error;
      this.#options.log.error(
        { event: 'policy_not_kept', error },
        'the current policy could not be saved to the data folder',
      );
    }
  }

  /** A replica with another version may have accepted what this one cannot parse: keep the current policy. */
  #parsed({ yaml }: StoredPolicy): Config['policy'] | undefined {
    if (yaml === null) return undefined;
    const { policy, problems } = parseStored(yaml);
    if (policy !== undefined) return policy;
    const lines = problems.map(formatProblem);
    this.#options.log.error(
      { event: 'policy_not_valid', problems: lines },
      'the stored policy has errors and was rejected',
    );
    return this.#policy;
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'policy.json');
}

function readStored(file: string): StoredPolicy {
  const text = readFileIfPresent(file);
  if (text === undefined) return none;
  try {
    const { version, yaml, at } = JSON.parse(text) as StoredPolicy;
    if (!Number.isSafeInteger(version) || !(yaml === null || typeof yaml === 'string')) throw new Error('wrong shape');
    return { version, yaml, at };
  } catch (cause) {
    const message = `The policy in ${file} is damaged: restore it from a backup, or delete it.`;
    throw new PrivetError('unavailable', message, { cause });
  }
}

/** The policy that replaced the file's in this data folder; for the command line. */
export function policyInFolder(dataDir: string, config: Config): Config['policy'] {
  const { yaml } = readStored(fileIn(dataDir));
  const { policy } = yaml === null ? {} : parseStored(yaml);
  return policy === undefined ? config.policy : { ...policy, registry: config.policy.registry };
}

/** Parses a policy for the API; settings allowed only in a file are reported as problems. */
export function parseStored(yaml: string): ParsedPolicy {
  if (yaml.length > policyLengthMax)
    return { problems: [{ file: 'policy', line: 0, column: 0, key: '', message: 'is too long' }] };
  const parsed = parsePolicy(yaml, 'policy');
  if (parsed.policy === undefined || parsed.policy.registry === null) return parsed;
  const message = 'is a file of the gateway: name it in the configuration file';
  return { problems: [{ file: 'policy', line: 1, column: 1, key: 'registry', message }] };
}

function checked({ policy, problems }: ParsedPolicy): Config['policy'] {
  if (policy !== undefined) return policy;
  throw new PrivetError('invalid_input', 'The policy has errors; the old one stays.', {
    hint: 'Correct the listed problems.',
    details: problems.map(({ line, column, key, message }) => ({ line, column, key, message })),
  });
}

function newer(a: StoredPolicy | undefined, b: StoredPolicy): StoredPolicy {
  return a !== undefined && a.version >= b.version ? a : b;
}

/** The rule for a granted exception: the subject may use the host, with PII masked, until it expires. */
function ruleOf({ id, subject, host, expires_at: expires }: ExceptionRequest): RuleConfig[] {
  if (expires === null || Date.parse(expires) <= Date.now()) return [];
  // A client address comes from its socket. A bare number, which is also a spelling of an address, is a user name here.
  const who = isIP(subject) === 0 ? { users: [subject] } : { networks: [subject] };
  return [
    {
      name: `exception ${id}`,
      expires,
      when: { ...who, hosts: [host] },
      then: { action: 'allow', inspect: 'mask' },
    },
  ];
}

function isSameSet(a: readonly ExceptionRequest[], b: readonly ExceptionRequest[]): boolean {
  const text = (all: readonly ExceptionRequest[]) =>
    all
      .map(({ id, expires_at: expires }) => `${id} ${expires}`)
      .sort()
      .join();
  return text(a) === text(b);
}
