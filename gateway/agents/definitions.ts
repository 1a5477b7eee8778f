/** Tool definitions: their hash for pinning, and findings in them. Both are cached, since every request repeats them. */
import { hash } from 'node:crypto';
import { canonicalJson } from '../../core/agents/canonical-json.ts';
import { type DefinitionFinding, definitionFindings } from '../../core/agents/definition-findings.ts';
import type { ToolRef } from '../../core/agents/tool-names.ts';
import { boundedCache } from '../bounded-cache.ts';

/** The parts of a definition that are pinned: everything a model or a user sees, under the names providers use. */
const pinnedMembers: Readonly<Record<string, readonly string[]>> = {
  title: ['title'],
  description: ['description'],
  inputSchema: ['inputSchema', 'input_schema', 'parameters', 'parametersJsonSchema', 'format'],
  outputSchema: ['outputSchema', 'response'],
  annotations: ['annotations'],
};

export type ScannedTool = ToolRef & {
  readonly hash: string;
  readonly definition: () => string;
  readonly findings: readonly DefinitionFinding[];
};

type Json = Readonly<Record<string, unknown>>;

/** Caches findings by hash. */
export class DefinitionScanner {
  readonly #found = boundedCache<string, readonly DefinitionFinding[]>(20_000);

  /** The tools with their hashes and findings. */
  scan(tools: readonly (ToolRef & { readonly definition: Json })[]): ScannedTool[] {
    const servers = new Set(tools.map(({ server }) => server));
    // A tool can only mention another server's tool if there are several servers.
    const others = servers.size > 1 ? tools.filter(({ server }) => server !== undefined) : [];
    const around =
      others.length === 0 ? '' : hash('sha256', others.map((one) => `${one.server}/${one.name}`).join('\0'));
    return tools.map(({ server, name, definition }) => {
      const pinned = pinnedPart(name, definition);
      const text = canonicalJson(pinned);
      const own = hash('sha256', text);
      const key = `${own} ${server === undefined ? '' : around}`;
      let findings = this.#found.get(key);
      if (findings === undefined) {
        const ref = server === undefined ? { name } : { server, name };
        findings = definitionFindings(pinned, ref, others);
        this.#found.set(key, findings);
      }
      return { server, name, hash: own, definition: () => text, findings };
    });
  }
}

function pinnedPart(name: string, definition: Json): Json {
  const pinned: Record<string, unknown> = { name };
  for (const [member, spellings] of Object.entries(pinnedMembers)) {
    const spelling = spellings.find((one) => definition[one] !== undefined);
    if (spelling !== undefined) pinned[member] = definition[spelling];
  }
  return pinned;
}
