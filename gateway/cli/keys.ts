/** `privet keys create|list|revoke|reset-admin`: API keys in a durable store, also while gateways use it, and the admin key. */
import { plainName } from '../../config/values.ts';
import { PrivetError } from '../../core/errors.ts';
import { keyRoles } from '../../policy/api-keys.ts';
import { planNames } from '../../policy/plans.ts';
import { prepareDataDir } from '../data-folder.ts';
import { Accounts } from '../stores/accounts.ts';
import { resetAdminKey } from '../stores/admin-key.ts';
import { type Arguments, type CliIo, type Command, UsageError, unknownAction } from './command.ts';
import { configOption, configured } from './configured.ts';
import { withStores } from './store.ts';
import { table } from './table.ts';

const actions = ['create', 'list', 'revoke', 'reset-admin'];

export const keys: Command = {
  usage: 'keys create|list|revoke|reset-admin [ID]',
  help: [
    'Create, list or revoke API keys. A new key is shown only once.',
    'reset-admin creates a new admin key in the data folder, which replaces the old one immediately, also in running gateways.',
    'With the store memory, keys exist in the running gateway only: use POST /admin/keys there.',
  ].join('\n'),
  options: {
    name: { value: 'NAME', help: 'the member that the key is for (create)' },
    plan: { value: 'PLAN', help: `${planNames.join(', ')} (create)` },
    role: { value: 'ROLE', help: `${keyRoles.join(' or ')} (create; default user)` },
    tenant: { value: 'ID', help: 'the account it belongs to (create: default a new one; list: only its keys)' },
    test: { help: 'a key with the prefix pvt_test_ (create)' },
    config: configOption,
  },
  words: [1, 2],
  async run(args, io) {
    const [action = '', id] = args.words;
    if (!actions.includes(action)) throw unknownAction(action, actions);
    if ((action === 'revoke') !== (id !== undefined)) {
      throw new UsageError(action === 'revoke' ? 'revoke needs the id of a key' : `${action} takes no id`);
    }
    if (action === 'reset-admin') return resetAdmin(args, io);
    const request = action === 'create' ? requestOf(args) : undefined;
    return withAccounts(args, io, async (accounts) => {
      if (request !== undefined) {
        const { key, ...made } = await accounts.createKey(request);
        io.stdout.write(`${key}\n`);
        io.stderr.write(
          `${made.id}  tenant ${made.tenant}  plan ${made.plan}  role ${made.role}   (shown only once)\n`,
        );
      } else if (id !== undefined) {
        await accounts.revokeKey(id);
        io.stderr.write(`revoked ${id}\n`);
      } else {
        const found = await accounts.keys({ tenant: args.get('tenant') });
        const rows = found.map((key) => [
          key.id,
          key.tenant,
          key.plan,
          key.role,
          String(key.usage.calls),
          key.revoked_at === null ? 'live' : 'revoked',
          key.name,
        ]);
        io.stdout.write(table([['ID', 'TENANT', 'PLAN', 'ROLE', 'CALLS', 'STATE', 'NAME'], ...rows]));
      }
      return 0;
    });
  },
};

function resetAdmin(args: Arguments, io: CliIo): number {
  const { settings } = configured(args, io);
  if (settings.adminKey) {
    throw new PrivetError('not_supported', 'PROXY_ADMIN_KEY is set and overrides the stored admin key.', {
      hint: 'Change PROXY_ADMIN_KEY and start the gateway again.',
    });
  }
  prepareDataDir(settings.dataDir);
  io.stdout.write(`${resetAdminKey(settings.dataDir)}\n`);
  io.stderr.write(`the admin key of ${settings.dataDir}   (shown only once)\n`);
  return 0;
}

function requestOf(args: Arguments): Parameters<Accounts['createKey']>[0] {
  const name = args.get('name')?.trim();
  if (!name || name.length > 200) throw new UsageError('--name is required: who is the key for?');
  if (!plainName.safeParse(name).success) throw new UsageError('--name contains control characters');
  return {
    name,
    plan: args.choice('plan', planNames),
    role: args.choice('role', keyRoles),
    tenant: args.get('tenant'),
    test: args.has('test'),
  };
}

async function withAccounts(
  args: Arguments,
  io: CliIo,
  work: (accounts: Accounts) => Promise<number>,
): Promise<number> {
  const { settings } = configured(args, io);
  if (settings.store === 'memory') {
    throw new PrivetError('not_supported', 'With the store memory, keys exist in the running gateway only.', {
      hint: 'Use POST /admin/keys, or a durable store (PROXY_STORE=sqlite, redis or postgres).',
    });
  }
  return withStores(settings, (stores) => work(new Accounts({ ...stores, verifyAdminKey: () => false })));
}
