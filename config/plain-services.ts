/**
 * Tells whether the entries of a registry file that was read as plain YAML are right for certain, so that a file of a
 * million services need not go through the schema. It never says what is wrong: that takes the lines of the file.
 */

const textFields = new Set(['service_name', 'kind', 'vendor', 'reason', 'confidence']);
const hostLists = new Set(['alternate_domains', 'api_hosts']);
/** 1 for characters of a label, 2 for the dot. */
const hostChars = new Uint8Array(65_536);
for (const c of 'abcdefghijklmnopqrstuvwxyz0123456789_-') hostChars[c.charCodeAt(0)] = 1;
hostChars[0x2e] = 2;

/**
 * True when every entry passes the schema of config/services.ts as it stands; false where that is not certain. Names and
 * hosts that two services claim are not looked for: the registry refuses them.
 */
export function areCertain(root: Readonly<Record<string, unknown>>): boolean {
  const { services, version = 1, compiled, ...rest } = root;
  if (version !== 1 || Object.keys(rest).length > 0 || !Array.isArray(services)) return false;
  if (compiled !== undefined && !(typeof compiled === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(compiled))) return false;
  return services.every(isCertain);
}

function isCertain(service: Readonly<Record<string, unknown>>): boolean {
  for (const key in service) {
    const value = service[key];
    if (textFields.has(key)) {
      if (typeof value !== 'string' || value.length === 0 || value.length > 200) return false;
    } else if (key === 'domain') {
      if (!isPlainHost(value)) return false;
    } else if (key === 'category') {
      if (value !== 'approved' && value !== 'monitoring' && value !== 'blocked') return false;
    } else if (key === 'is_blocked' || key === 'coach') {
      if (typeof value !== 'boolean') return false;
    } else if (hostLists.has(key)) {
      if (!Array.isArray(value) || !value.every(isPlainHost)) return false;
    } else if (key === 'country') {
      if (typeof value !== 'string' || !/^[A-Z]{2}$/.test(value)) return false;
    } else if (key === 'sources') {
      if (!Array.isArray(value)) return false;
    } else {
      // Patterns, prefixes and risks are few, and have rules of their own.
      return false;
    }
  }
  return service.service_name !== undefined && service.domain !== undefined && service.category !== undefined;
}

/** A name in its one spelling that no mapping of IDNA can change; numbers at the end would be an address. */
function isPlainHost(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 253) return false;
  let start = 0;
  let dots = 0;
  for (let i = 0; i <= value.length; i++) {
    const kind = i === value.length ? 2 : hostChars[value.charCodeAt(i)];
    if (kind === 1) continue;
    if (kind !== 2 || i === start || i - start > 63) return false;
    if (i < value.length) {
      start = i + 1;
      dots++;
    }
  }
  const top = value.charCodeAt(start);
  return dots > 0 && top >= 0x61 && top <= 0x7a && !value.includes('xn--');
}
