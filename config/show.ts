/** Prints the effective configuration without its secrets. */
import type { Settings } from './environment.ts';
import { durationText, readable } from './readable.ts';
import type { Config, Listen } from './schema.ts';
import { yamlPackage } from './yaml-package.ts';

const hidden = '********';

/**
 * YAML of the configuration, which loads to the same configuration except for passwords, with environment settings as
 * comments. Password hashes, keys and passwords in URLs are replaced by asterisks.
 */
export function showConfig(config: Config, settings: Settings): string {
  const { timeouts } = config.upstream;
  const whole = readable(config) as Config;
  const shown = {
    ...whole,
    listen: {
      ...config.listen,
      proxy: listenText(config.listen.proxy),
      api: listenText(config.listen.api),
      proxy_tls:
        config.listen.proxy_tls === null
          ? null
          : { ...config.listen.proxy_tls, listen: listenText(config.listen.proxy_tls.listen) },
    },
    upstream: {
      ...whole.upstream,
      parent: config.upstream.parent === null ? null : withoutPassword(config.upstream.parent),
      parents: config.upstream.parents.map((parent) => ({
        ...parent,
        url: parent.url === 'direct' ? parent.url : withoutPassword(parent.url),
      })),
      timeouts: Object.fromEntries(Object.entries(timeouts).map(([key, ms]) => [key, durationText(ms)])),
    },
    auth: {
      ...config.auth,
      proxy: {
        ...config.auth.proxy,
        users: config.auth.proxy.users.map((user) => ({ ...user, password_hash: hidden })),
      },
    },
  };
  // As comments, because environment settings cannot be set in the file.
  const environment = Object.entries(environmentOf(settings)).map(([name, value]) => `# ${name}=${value ?? ''}\n`);
  return `${yamlPackage().stringify(shown, { lineWidth: 0 })}\n${environment.join('')}`;
}

function environmentOf(settings: Settings): Record<string, string | undefined> {
  const secret = (value: string | undefined) => (value === undefined ? undefined : hidden);
  return {
    PROXY_CONFIG: settings.configFile,
    PROXY_DATA_DIR: settings.dataDir,
    NODE_ENV: settings.nodeEnv,
    PROXY_STORE: settings.store,
    PROXY_STORE_URL: settings.storeUrl === undefined ? undefined : withoutPassword(settings.storeUrl),
    PROXY_STORE_KEY: secret(settings.storeKey),
    PROXY_TOKEN_TTL: String(settings.tokenTtlMs),
    PROXY_ADMIN_KEY: secret(settings.adminKey),
    PROXY_LICENSE_KEY: secret(settings.licenseKey),
    PROXY_LICENSE_FILE: settings.licenseFile,
    UI_ORIGIN: settings.uiOrigins.join(','),
  };
}

function listenText({ host, port }: Listen): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A URL with asterisks for its password and query; text that is no URL is hidden as a whole. */
function withoutPassword(text: string): string {
  const url = URL.parse(text);
  if (url === null) return hidden;
  if (url.password !== '') url.password = hidden;
  if (url.search !== '') url.search = hidden;
  return url.href;
}
