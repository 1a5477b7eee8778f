/**
 * Licenses: JSON Web Tokens (RFC 7519) signed with Ed25519 (RFC 8037) by the operator's own issuer key. The claims say
 * what a license allows; a gateway accepts only the issuers it trusts.
 */
import type { KeyObject } from 'node:crypto';
// Not from 'jose', which would load twice as many modules.
import { JWSSignatureVerificationFailed, JWTExpired } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { z } from 'zod';
import { PrivetError } from '../core/errors.ts';
import { type PlanName, planTitle } from './plans.ts';

/** The plans a license can be for; `enterprise` adds the postgres store. */
export const licensePlans = ['starter', 'business', 'enterprise'] as const satisfies readonly PlanName[];
export type LicensePlan = (typeof licensePlans)[number];

const issuerName = 'privet';
/** Tolerated clock difference between issuer and gateway for a new license, in seconds; expiry is exact. */
const clockToleranceS = 60;

const claimsShape = z.object({
  sub: z.string().min(1).max(200),
  plan: z.enum(licensePlans),
  evaluation: z.boolean().default(false),
  report_url: z.url().optional(),
  iat: z.number(),
  exp: z.number(),
});

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

/** Signs a license; `evaluation` is false if left out. The key must be a private Ed25519 key. */
export function issueLicense(request: Omit<License, 'evaluation'> & Partial<License>, key: KeyObject): Promise<string> {
  const { customer, plan, evaluation = false, reportUrl } = request;
  return new SignJWT({ plan, evaluation, report_url: reportUrl })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuer(issuerName)
    .setSubject(customer)
    .setIssuedAt(request.issuedAt)
    .setExpirationTime(request.expiresAt)
    .sign(key);
}

/**
 * Verifies a license against the trusted issuers.
 * @throws PrivetError `license_invalid` with the reason: damaged, untrusted issuer, expired, issued in the future.
 */
export async function verifyLicense(token: string, issuers: readonly KeyObject[], now: Date): Promise<License> {
  try {
    decodeJwt(token);
  } catch (cause) {
    throw invalid('The license is damaged: it is not a JSON Web Token.', cause);
  }
  let foreign: unknown;
  for (const issuer of issuers) {
    try {
      const { payload } = await jwtVerify(token, issuer, {
        algorithms: ['EdDSA'],
        issuer: issuerName,
        requiredClaims: ['exp', 'iat', 'sub'],
        currentDate: now,
      });
      return licenseOf(claimsShape.parse(payload), now);
    } catch (error) {
      if (error instanceof PrivetError) throw error;
      if (error instanceof JWTExpired) {
        const day = new Date(Number(error.payload.exp) * 1000).toISOString().slice(0, 10);
        throw invalid(`The license expired on ${day}.`, error);
      }
      if (!(error instanceof JWSSignatureVerificationFailed)) {
        throw invalid('The license is not one for this product.', error);
      }
      foreign = error;
    }
  }
  throw invalid('The license was changed, or signed by an issuer that this gateway does not trust.', foreign);
}

/** @throws PrivetError `license_invalid` when the license does not cover the named feature. */
export function requireLicensePlan(license: License, plan: LicensePlan, what: string): void {
  if (licensePlans.indexOf(license.plan) >= licensePlans.indexOf(plan)) return;
  throw invalid(`${what} needs the ${planTitle(plan)} plan; this license is for the ${planTitle(license.plan)} plan.`);
}

function licenseOf(claims: z.infer<typeof claimsShape>, now: Date): License {
  if (claims.iat * 1000 > now.getTime() + clockToleranceS * 1000) {
    throw invalid('The license is from the future; check the clock of this machine.');
  }
  return {
    customer: claims.sub,
    plan: claims.plan,
    evaluation: claims.evaluation,
    issuedAt: new Date(claims.iat * 1000),
    expiresAt: new Date(claims.exp * 1000),
    reportUrl: claims.report_url,
  };
}

function invalid(message: string, cause?: unknown): PrivetError {
  return new PrivetError('license_invalid', message, cause === undefined ? {} : { cause });
}
