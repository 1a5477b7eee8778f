/** The statements of docs/mcp.md about tools; test/packages/privet.test.ts tests its set-ups. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect, root } from './client.ts';

const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
test('the table of tools names every tool with its fields and results', async () => {
  const { tools } = await (await connect()).listTools();
  for (const tool of tools) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${tool.name}\``));
    expect(row, tool.name).toBeDefined();
    for (const field of Object.keys(tool.inputSchema.properties ?? {}))
      expect(row, tool.name).toContain(`\`${field}\``);
    if (tool.name === 'store_status') continue;
    const results = [
      ...(row
        ?.split('|')
        .at(3)
        ?.matchAll(/`(\w+)`/g) ?? []),
    ].map(([, name]) => name);
    const schema = tool.outputSchema as { properties: Record<string, unknown> };
    expect(results.sort(), tool.name).toEqual(Object.keys(schema.properties).sort());
  }
});

test('the prompt and the resources are named', async () => {
  for (const name of ['privet://types', 'privet://session/{id}', 'mask_ask_restore']) expect(page).toContain(name);
});
