/** How confident discovery is about a host, for the report of AI use. */
import { assess, type Confidence } from '../../policy/discovery.ts';
import { registrableDomain } from '../../policy/discovery-domain.ts';
import { evidenceOf, type Finding } from '../../policy/discovery-finding.ts';

/** Undefined if nothing indicates an AI service, or an administrator has decided that the host is not one. */
export function confidenceIn(finding: Finding | undefined): Confidence | undefined {
  return finding === undefined || finding.state === 'dismissed' ? undefined : assess(evidenceOf(finding)).confidence;
}

/** The same by host, for stored findings by domain. */
export function confidenceOver(findings: ReadonlyMap<string, unknown>): (host: string) => Confidence | undefined {
  return (host) => confidenceIn((findings.get(host) ?? findings.get(registrableDomain(host))) as Finding | undefined);
}
