/**
 * Licenses: JSON Web Tokens (RFC 7519) signed with Ed25519 (RFC 8037) by the operator's own issuer key. The claims say
 * what a license allows; a gateway accepts only the issuers it trusts.
 */
import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { PrivetError } from '../core/errors.ts';
import type { PlanName } from './plans.ts';

/** The plans a license can be for; `enterprise` adds the postgres store. */
export const licensePlans = ['starter', 'business', 'enterprise'] as const satisfies readonly PlanName[];
export type LicensePlan = (typeof licensePlans)[number];

const issuerName = 'privet';
/** Tolerated clock difference between issuer and gateway, in seconds. */
const clockToleranceS = 60;

/** `crit` names fields that change what the signature means (RFC 7515 §4.1.11); we know none. */
const headerShape = z.object({ alg: z.literal('EdDSA'), crit: z.undefined().optional() });
const claimsShape = z.object({
  iss: z.literal(issuerName),
  sub: z.string().min(1).max(200),
  plan: z.enum(licensePlans),
  evaluation: z.boolean().default(false),
  report_url: z.url().optional(),
  iat: z.number(),
  exp: z.number(),
});

/** A verified license. */
export type License = {
  /** Who it was issued to. */
  readonly customer: string;
  readonly plan: LicensePlan;
  /** Issued by the gateway to itself on first start. */
  readonly evaluation: boolean;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Where to send the usage report. */
  readonly reportUrl?: string;
};

/** The input for issuing a license. */
export type LicenseRequest = {
  readonly customer: string;
  readonly plan: LicensePlan;
  readonly evaluation?: boolean;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly reportUrl?: string;
};

/** Signs a license. The key must be a private Ed25519 key. */
export function issueLicense(request: LicenseRequest, key: KeyObject): string {
  const { customer, plan, evaluation = false, reportUrl } = request;
  const claims = {
    plan,
    evaluation,
    ...(reportUrl === undefined ? {} : { report_url: reportUrl }),
    iss: issuerName,
    sub: customer,
    iat: Math.floor(request.issuedAt.getTime() / 1000),
    exp: Math.floor(request.expiresAt.getTime() / 1000),
  };
  const signed = [{ alg: 'EdDSA', typ: 'JWT' }, claims].map(encoded).join('.');
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Verifies a license against the trusted issuers.
 * @throws PrivetError `license_invalid` with the reason: damaged, untrusted issuer, expired, issued in the future.
 */
export function verifyLicense(token: string, issuers: readonly KeyObject[], now: Date): License {
  const { header, claims, signed, signature } = partsOf(token);
  const head = headerShape.safeParse(header);
  if (!head.success) throw foreign(head.error);
  if (!issuers.some((issuer) => verify(null, signed, issuer, signature))) {
    throw invalid('The license was changed, or signed by an issuer that this gateway does not trust.');
  }
  const read = claimsShape.safeParse(claims);
  if (!read.success) throw foreign(read.error);
  return licenseOf(read.data, now);
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The parts of a compact JSON Web Signature (RFC 7515 §3.1). */
function partsOf(token: string) {
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(token) ?? [];
  try {
    const [header, claims]: unknown[] = [head, body].map((part) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()),
    );
    return { header, claims, signed: Buffer.from(`${head}.${body}`), signature: Buffer.from(signature, 'base64url') };
  } catch (cause) {
    throw invalid('The license is damaged: it is not a JSON Web Token.', cause);
  }
}

/** @throws PrivetError `license_invalid` when the license does not cover the named feature. */
export function requireLicensePlan(license: License, plan: LicensePlan, what: string): void {
  if (licensePlans.indexOf(license.plan) >= licensePlans.indexOf(plan)) return;
  throw invalid(`${what} needs the plan ${plan}; this license is for ${license.plan}.`);
}

function licenseOf(claims: z.infer<typeof claimsShape>, now: Date): License {
  if (claims.exp * 1000 <= now.getTime() - clockToleranceS * 1000) {
    throw invalid(`The license expired on ${new Date(claims.exp * 1000).toISOString().slice(0, 10)}.`);
  }
  if (claims.iat * 1000 > now.getTime() + clockToleranceS * 1000) {
    throw invalid('The license is from the future; check the clock of this machine.');
  }
  return {
    customer: claims.sub,
    plan: claims.plan,
    evaluation: claims.evaluation,
    issuedAt: new Date(claims.iat * 1000),
    expiresAt: new Date(claims.exp * 1000),
    ...(claims.report_url === undefined ? {} : { reportUrl: claims.report_url }),
  };
}

function foreign(cause: unknown): PrivetError {
  return invalid('The license is not one for this product.', cause);
}

function invalid(message: string, cause?: unknown): PrivetError {
  return new PrivetError('license_invalid', message, cause === undefined ? {} : { cause });
}
