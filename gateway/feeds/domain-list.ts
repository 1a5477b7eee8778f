/**
 * Domain lists in the format of v2fly/domain-list-community: one rule per line as `domain:`, `full:`, `keyword:`,
 * `regexp:` or `include:` (without a prefix `domain:`), then attributes such as `@ads`; `#` starts a comment.
 */

import { PrivetError } from '../../core/errors.ts';
import type { RawEntry } from './raw-entry.ts';

/** Reads another list by name, from the location of the list that includes it. */
export type ReadList = (name: string) => Promise<string>;

export type DomainListOptions = {
  readonly name: string;
  readonly include?: ReadList | undefined;
  readonly only: readonly string[];
  readonly without: readonly string[];
};

const listsMax = 100;
const rule = /^(?:(domain|full|keyword|regexp|include):)?(\S+)$/i;

/**
 * One entry per domain; its vendor is the name of its list. `full:` becomes a domain, which also matches subdomains;
 * `keyword:` and `regexp:` cannot be registry hosts. Both cause warnings.
 */
export async function readDomainList(
  text: string,
  options: DomainListOptions,
): Promise<{ entries: RawEntry[]; warnings: string[] }> {
  const entries = new Map<string, RawEntry>();
  const warnings: string[] = [];
  const lists = new Set([options.name]);
  /** `filter`: attributes of the include line, `@x` to require one, `@-x` to exclude it. */
  const read = async (content: string, list: string, filter: readonly string[]): Promise<void> => {
    for (const [i, line] of content
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .entries()) {
      const [first = '', ...rest] = line
        .replace(/(?:^|\s)#.*$/, '')
        .trim()
        .split(/\s+/);
      if (first === '') continue;
      const where = `${list}:${i + 1}`;
      const match = rule.exec(first);
      const attributes = rest.filter((word) => word.startsWith('@')).map((word) => word.slice(1).toLowerCase());
      if (match === null || attributes.length < rest.filter((word) => !word.startsWith('&')).length) {
        warnings.push(`${where}: is not a rule: ${first.slice(0, 80)}`);
        continue;
      }
      const [, kind = 'domain', value = ''] = match;
      if (kind.toLowerCase() === 'include') {
        await include(value.toLowerCase(), where, attributes);
        continue;
      }
      if (!passes(attributes, filter) || !isWanted(attributes, options)) continue;
      if (/^(?:keyword|regexp)$/i.test(kind)) {
        warnings.push(`${where}: ${first.slice(0, 80)} is not a host and is ignored`);
        continue;
      }
      if (/^full$/i.test(kind)) warnings.push(`${where}: ${value} also matches subdomains`);
      const domain = value.toLowerCase();
      if (!entries.has(domain)) entries.set(domain, { where, fields: { domain, vendor: list } });
    }
  };
  const include = async (list: string, where: string, filter: readonly string[]): Promise<void> => {
    if (lists.has(list)) return;
    if (!/^[a-z0-9!_.-]{1,100}$/.test(list) || list.startsWith('.')) {
      warnings.push(`${where}: "${list.slice(0, 80)}" is not a list name`);
      return;
    }
    if (options.include === undefined) {
      warnings.push(`${where}: the list "${list}" cannot be included here`);
      return;
    }
    if (lists.size >= listsMax)
      throw new PrivetError('invalid_input', `The list includes more than ${listsMax} other lists.`);
    lists.add(list);
    await read(await options.include(list), list, filter);
  };
  await read(text, options.name, []);
  return { entries: [...entries.values()], warnings };
}

function passes(attributes: readonly string[], filter: readonly string[]): boolean {
  return filter.every((wanted) =>
    wanted.startsWith('-') ? !attributes.includes(wanted.slice(1)) : attributes.includes(wanted),
  );
}

function isWanted(attributes: readonly string[], { only, without }: DomainListOptions): boolean {
  if (without.some((name) => attributes.includes(name))) return false;
  return only.length === 0 || only.some((name) => attributes.includes(name));
}
