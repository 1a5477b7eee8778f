/**
 * Tells whether the entries of a registry file that was read as plain YAML are right for certain, so that a file of a
 * million services need not go through the schema. It never says what is wrong: that takes the lines of the file.
 */

const textFields = new Set(['service_name', 'kind', 'vendor', 'reason', 'confidence']);
const hostLists = new Set(['alternate_domains', 'api_hosts']);
const plainHost = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,62}))(?:\.[a-z0-9_-]{1,63})*\.[a-z][a-z0-9_-]{0,62}$/;

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
  return typeof value === 'string' && plainHost.test(value) && !value.includes('xn--');
}
