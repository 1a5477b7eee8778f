/** `privet registry import` and `export`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseServices } from '../../../config/services.ts';
import { runPrivet } from '../../support/command.ts';
import { tempFolder } from '../../support/temp.ts';

const folder = tempFolder('registry-cli');
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const privet = (...args: string[]) => runPrivet(args, { PROXY_DATA_DIR: join(folder, 'data') });

test('a list is merged into the registry, after a preview', async () => {
  const list = file(
    'list.csv',
    'domain,category,service_name\nchatgpt.com,blocked,\nnew.example,approved,New\nbad,,\n',
  );
  const output = join(folder, 'services.yaml');
  const shown = await privet('registry', 'import', list, '--output', output, '--dry-run');
  expect([shown.code, existsSync(output)]).toEqual([0, false]);
  expect(shown.out).toMatch(/^\+ new\.example \(New\): approved$/m);
  expect(shown.out).toMatch(/^~ chatgpt\.com: category \w+ -> blocked$/m);
  expect(shown.out).toMatch(/^1 added, 1 changed, 0 removed; nothing written$/m);
  expect(shown.err).toMatch(/^warning: line 4: .*one label/m);
  const done = await privet('registry', 'import', list, '--output', output);
  expect(done.out).toContain(`1 added, 1 changed, 0 removed; ${output} written`);
  const { services } = parseServices(readFileSync(output, 'utf8'), output);
  expect(services?.find(({ domain }) => domain === 'chatgpt.com')).toMatchObject({
    category: 'blocked',
    is_blocked: true,
  });
  expect((await privet('registry', 'lint', output)).code).toBe(0);
  const config = file('privet.yaml', `policy: { registry: ${output} }\n`);
  const again = await privet('registry', 'import', list, '--config', config);
  expect(again.out).toBe(`0 added, 0 changed, 0 removed; ${output} written\n`);
});

test.each(['yaml', 'json', 'csv', 'v2fly'])('importing an export as %s changes nothing', async (format) => {
  const { code, out } = await privet('registry', 'export', '--format', format);
  expect(code).toBe(0);
  const again = await privet('registry', 'import', file(`export.${format}`, out), '--dry-run');
  expect(again.out).toBe('0 added, 0 changed, 0 removed; nothing written\n');
});

test('a name that a spreadsheet would run as a formula is guarded in CSV and comes back as it was', async () => {
  const given = file('odd.csv', 'service_name,domain\n=1+1,odd.example\n');
  const merged = join(folder, 'odd.yaml');
  await privet('registry', 'import', given, '--output', merged);
  const config = file('odd-config.yaml', `policy: { registry: ${merged} }\n`);
  const { out } = await privet('registry', 'export', '--format', 'csv', '--config', config);
  expect(out).toContain("\r\n'=1+1,odd.example,");
  const again = await privet('registry', 'import', file('odd2.csv', out), '--dry-run', '--config', config);
  expect(again.out).toContain('0 added, 0 changed');
});

test('a domain list with its includes, by attribute', async () => {
  file('included', 'in.example @ai\nother.example\n');
  const list = file('main', 'include:included\nregexp:^x\nmine.example @ai\n');
  const { out, err } = await privet('registry', 'import', list, '--dry-run', '--only', 'ai', '--category', 'blocked');
  expect(out).toBe(
    '+ in.example (in.example): blocked\n+ mine.example (mine.example): blocked\n2 added, 0 changed, 0 removed; nothing written\n',
  );
  expect(err).toBe('');
});

test.each<[args: string[], code: number, says: RegExp]>([
  [['import'], 2, /needs a FILE/],
  [['import', file('x.csv', 'domain\nx.example\n')], 2, /use --output FILE or --dry-run/],
  [['import', join(folder, 'none'), '--dry-run'], 1, /There is no .*none; check its name/],
  [['import', file('y.csv', 'name\nx\n'), '--format', 'csv', '--dry-run'], 1, /one of them "domain"/],
  [['export', '--format', 'cvs'], 2, /did you mean "csv"\?/],
  [['export', '--category', 'block'], 2, /did you mean "blocked"\?/],
  [['imprt'], 2, /did you mean "import"\?/],
])('registry %j reports the error', async (args, code, says) => {
  const result = await privet('registry', ...args);
  expect([result.code, result.out]).toEqual([code, '']);
  expect(result.err).toMatch(says);
});
