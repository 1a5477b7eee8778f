/** `privet mask|restore|detect`: text from standard input to standard output, without network. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Config } from '../../config/load.ts';
import { suggestion } from '../../config/nearest.ts';
import { checkActions, type Replacements, replacementsOf } from '../../core/actions.ts';
import { builtinTypes, Detector } from '../../core/detect/detector.ts';
import { PrivetError } from '../../core/errors.ts';
import { Masker } from '../../core/mask.ts';
import { restoreText } from '../../core/restore.ts';
import { typesOn } from '../../core/types.ts';
import { SessionTokens, type TokenVault } from '../../core/vault.ts';
import { recognizersOf } from '../own-recognizers.ts';
import { type Arguments, type CliIo, type Command, UsageError } from './command.ts';
import { configured } from './configured.ts';

const inputBytesMax = 256 * 2 ** 20;

const detectOptions = {
  type: { value: 'TYPE', help: 'only this type, like EMAIL (repeat for more)', isList: true },
  config: {
    value: 'FILE',
    help: 'configuration file with masking.types, .dictionary and .recognizers (default PROXY_CONFIG)',
  },
} as const;

export const mask: Command = {
  usage: 'mask',
  help:
    'Mask personal data in the text from standard input.\n' +
    'With the map file of an earlier run, equal values keep their tokens.\n' +
    'The action hash uses the key PRIVET_HASH_KEY (default: a new key for each run).',
  options: {
    map: { value: 'FILE', help: 'write the tokens and their values here (mode 0600)' },
    action: {
      value: 'TYPE=ACTION',
      help: 'token, redact, mask, hash, block or replace:TEXT for a type or group (repeat for more)',
      isList: true,
    },
    ...detectOptions,
  },
  words: [0, 0],
  async run(args, io) {
    const file = args.get('map');
    const tokens = file !== undefined && existsSync(file) ? readMap(file) : new SessionTokens();
    const { masking } = configured(args, io).config;
    const masker = new Masker({
      detector: detectorOf(args, masking),
      vault: oneSession(tokens),
      replacements: replacementsFor(args, io, masking),
    });
    const { masked, tokenMap } = await masker.mask(await readInput(io), 'cli');
    const count = Object.keys(tokenMap).length;
    // Write the map first: a masked text without its values is useless.
    if (file !== undefined) writeMap(file, tokens);
    io.stdout.write(masked);
    if (file === undefined && count > 0) {
      io.stderr.write(`${count} ${count === 1 ? 'token' : 'tokens'}; without --map FILE they cannot be restored\n`);
    }
    return 0;
  },
};

export const restore: Command = {
  usage: 'restore --map FILE',
  help: 'Restore the original values in the text from standard input.\nTokens inside links stay, as the gateway leaves them.',
  options: { map: { value: 'FILE', help: 'the map that "privet mask" wrote' } },
  words: [0, 0],
  async run(args, io) {
    const file = args.get('map');
    if (file === undefined) throw new UsageError('usage: privet restore --map FILE');
    const { restored, unresolved } = restoreText(await readInput(io), readMap(file));
    io.stdout.write(restored);
    if (unresolved.length > 0) io.stderr.write(`not restored: ${unresolved.join(', ')}\n`);
    return 0;
  },
};

export const detect: Command = {
  usage: 'detect',
  help: 'List the personal data in the text from standard input as JSON.\nOffsets are UTF-16 code units.',
  options: detectOptions,
  words: [0, 0],
  async run(args, io) {
    const detections = detectorOf(args, configured(args, io).config.masking).detect(await readInput(io));
    io.stdout.write(`${JSON.stringify({ detections }, null, 2)}\n`);
    return 0;
  },
};

type Masking = Config['masking'];

/** The actions of the configuration, overridden by those of the command line. */
function replacementsFor(args: Arguments, io: CliIo, masking: Masking): Replacements | undefined {
  const asked: Record<string, unknown> = {};
  for (const word of args.all('action')) {
    const [, type = '', action = '', text] = /^([^=]+)=([a-z]+)(?::(.*))?$/s.exec(word) ?? [];
    if (type === '' || (action === 'replace') !== (text !== undefined)) {
      throw new UsageError(`--action ${word}: use TYPE=ACTION, like EMAIL=redact or NAME=replace:TEXT`);
    }
    asked[type.toUpperCase()] = text === undefined ? action : { replace: text };
  }
  const labels = [...masking.dictionary, ...recognizersOf(masking).map(({ type }) => ({ label: type }))];
  try {
    checkActions(
      asked,
      labels.map(({ label }) => label),
    );
  } catch (error) {
    if (error instanceof PrivetError) throw new UsageError(`${error.message} ${error.hint}`);
    throw error;
  }
  const key = io.env.PRIVET_HASH_KEY;
  return replacementsOf({ ...masking.types, ...asked }, key ? Buffer.from(key) : randomBytes(32));
}

function detectorOf(args: Arguments, masking: Masking): Detector {
  const asked = args.all('type').map((type) => type.toUpperCase());
  const recognizers = recognizersOf(masking);
  const known = [...builtinTypes, ...recognizers.map(({ type }) => type)];
  for (const type of asked) {
    if (!known.includes(type)) throw new UsageError(`unknown type ${type}${suggestion(type, known)}`);
  }
  const types = asked.length > 0 ? asked : typesOn(masking.types);
  const own = asked.length > 0 ? recognizers.filter(({ type }) => asked.includes(type)) : recognizers;
  return new Detector({
    types: types.filter((type) => builtinTypes.includes(type)),
    dictionary: masking.dictionary,
    recognizers: own,
  });
}

async function readInput(io: CliIo): Promise<string> {
  // Streaming, because a character may be split between chunks; a byte order mark is kept.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of io.stdin) {
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += data.byteLength;
      if (bytes > inputBytesMax) throw new UsageError(`the text is longer than ${inputBytesMax} bytes`);
      text += decoder.decode(data, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError('the text is not UTF-8');
    throw error;
  }
}

/** A vault with one session, whose tokens can be saved to a file. */
function oneSession(tokens: SessionTokens): TokenVault {
  return {
    reserve: (_sessionId, entries, options) => entries.map((entry) => tokens.tokenFor(entry, options?.taken)),
    tokens: () => tokens,
    drop: () => false,
  };
}

function readMap(file: string): SessionTokens {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not a map file of "privet mask"`);
    throw error;
  }
  const tokens = new SessionTokens();
  for (const [token, value] of Object.entries(typeof content === 'object' && content !== null ? content : { '': 0 })) {
    const match = /^\[([A-Z0-9_]+)([-_])\d+\]$/.exec(token);
    if (match === null || typeof value !== 'string') throw new UsageError(`${file} is not a map file of "privet mask"`);
    tokens.add(token, { type: match[1] ?? '', value, label: match[2] === '_' });
  }
  return tokens;
}

function writeMap(file: string, tokens: SessionTokens): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(tokens.entries()), null, 2)}\n`, { mode: 0o600 });
  // The mode above only applies to new files.
  chmodSync(file, 0o600);
}
