/** Prints what the operator needs to know when the gateway has started. */
import path from 'node:path';
import { ownUrl } from '../config/listeners.ts';
import type { Settings } from '../config/load.ts';
import type { Log, LogHandle } from './observe/log.ts';
import { portalHost } from './portal/page.ts';

/** An open listener: its address as the system reports it. */
type Listening = { readonly address: string; readonly port: number };

/**
 * Logs the address of each listener, at every level but `silent`: a program that set port 0 reads the port there.
 * Workers other than the first share these addresses and log at `debug`.
 */
export function tellListeners(
  log: Log,
  listeners: Readonly<Record<string, Listening | null>>,
  { isQuiet }: { isQuiet: boolean },
): void {
  const { level } = log;
  if (!isQuiet && level !== 'silent' && !log.isLevelEnabled('info')) log.level = 'info';
  for (const [listener, at] of Object.entries(listeners)) {
    if (at === null) continue;
    const { address: host, port } = at;
    log[isQuiet ? 'debug' : 'info']({ event: 'listening', listener, host, port }, 'listening');
  }
  log.level = level;
}

/** What a person needs to see on the first start; on a JSON log only the admin key event. */
export function greet(facts: {
  logging: LogHandle;
  settings: Settings;
  proxyPort: number;
  apiPort: number;
  adminKey: string | undefined;
  unconstrained: boolean;
  rootName: string;
  hasDemo: boolean;
}): void {
  const { settings } = facts;
  const caFile = path.join(settings.dataDir, 'ca', `${facts.rootName}.pem`);
  const proxyUrl = ownUrl({ host: settings.gatewayHost, port: facts.proxyPort });
  const apiUrl = ownUrl({ host: settings.host, port: facts.apiPort });
  if (facts.unconstrained) {
    facts.logging.log.warn(
      { event: 'ca_unconstrained' },
      'the policy may intercept any host, so the issuing CA has no name constraints',
    );
  }
  const lines = [
    '',
    `  Proxy      ${proxyUrl}`,
    `  CA file    ${caFile}`,
    `  API        ${apiUrl}`,
    `  Console    ${apiUrl}/console/   (the demo, and a form for every call)`,
    `  Admin      ${apiUrl}/admin/`,
    `  Users      http://${portalHost}/   (through the proxy: certificate, what is allowed, what was masked)`,
    ...(facts.adminKey
      ? [`  Admin key  ${facts.adminKey}   (shown only once; "npx privet keys reset-admin" makes another)`]
      : []),
    '',
    '  Mask a text:',
    `    echo 'Write to ana@example.com' | npx privet mask`,
    ...(facts.hasDemo
      ? [`    curl ${apiUrl}/demo/mask -H 'Content-Type: application/json' -d '{"text":"Write to ana@example.com"}'`]
      : []),
    '  Try a blocked service:',
    `    curl --proxy ${proxyUrl} http://01.ai/`,
    '',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
