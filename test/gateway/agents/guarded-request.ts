/** The guard of agents without a socket. */
import { AgentGuard } from '../../../gateway/agents/agent-guard.ts';
import type { GuardInput } from '../../../gateway/agents/opened-request.ts';
import { Metrics } from '../../../gateway/observe/metrics.ts';
import { newRecord } from '../../../gateway/proxy/request/record.ts';
import { openStores } from '../../../gateway/stores/open-stores.ts';
import { type ToolSettings, toolDefaults } from '../../../policy/agent-settings.ts';
import type { RuleConfig } from '../../../policy/rule.ts';
import { policyOf } from '../../policy/policies-under-test.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from '../stores/silent-log.ts';

const stores = await openStores({ store: 'memory', dataDir: tempFolder('answers'), tokenTtlMs: 0 }, { log: silentLog });

/** The guard of the answer to a request, and its record. */
export async function guardOf(
  body: unknown,
  { tools = {}, rules = [] }: { readonly tools?: Partial<ToolSettings>; readonly rules?: readonly RuleConfig[] } = {},
) {
  const guard = new AgentGuard({ stores, log: silentLog, metrics: new Metrics({ defaults: false }) });
  const policy = policyOf({ rules, tools: { ...toolDefaults, ...tools } });
  const asked = { host: 'tools.example', port: 443, path: '/mcp', method: 'POST' };
  const record = newRecord('request', { address: '10.0.0.1', subject: 'ann' }, 'POST', 'tools.example', 443);
  const input: GuardInput = {
    policy,
    decision: policy.decide(asked),
    asked,
    rawHeaders: ['content-type', 'application/json'],
    record,
    bytesMax: 1e6,
  };
  const bytes = Buffer.from(JSON.stringify(body));
  const opened = await guard.open(input, bytes);
  const guarded = await opened?.finish({ body: bytes, changed: false, counts: undefined, masked: 0 });
  return { answer: guarded?.answer, record, sent: JSON.parse(guarded?.body.toString() ?? 'null') };
}
