/** Decides whether a repeatedly measured figure has grown. */

/** A straight line through points, fitted by least squares. */
export type Trend = {
  readonly mean: number;
  /** Growth over the whole span of the points. */
  readonly growth: number;
  /** Standard error of {@link growth}. */
  readonly error: number;
};

/** One measurement: time in seconds, and value. */
export type Point = readonly [atS: number, value: number];

/**
 * The trend of at least three points. Figures such as resident memory fluctuate over minutes, so adjacent points are
 * correlated: with correlation r they count as n (1 - r) / (1 + r) independent ones (Santer et al., Statistical
 * significance of trends, J. Geophys. Res. 105, 2000).
 */
export function trendOf(points: readonly Point[]): Trend {
  const count = points.length;
  const meanAt = points.reduce((sum, [at]) => sum + at, 0) / count;
  const mean = points.reduce((sum, [, value]) => sum + value, 0) / count;
  let spread = 0;
  let common = 0;
  for (const [at, value] of points) {
    spread += (at - meanAt) ** 2;
    common += (at - meanAt) * (value - mean);
  }
  const slope = spread === 0 ? 0 : common / spread;
  const residuals = points.map(([at, value]) => value - mean - slope * (at - meanAt));
  const residual = residuals.reduce((sum, one) => sum + one ** 2, 0);
  const besideEachOther = residuals.reduce((sum, one, i) => sum + one * (residuals[i - 1] ?? 0), 0);
  const correlation = residual === 0 ? 0 : Math.max(0, besideEachOther / residual);
  const independent = Math.max(3, (count * (1 - correlation)) / (1 + correlation));
  const span = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0);
  const error = count > 2 && spread > 0 ? Math.sqrt(residual / (independent - 2) / spread) * span : 0;
  return { mean, growth: slope * span, error };
}

/** True if a figure is flat: it grew by at most `share` of its mean plus `floor`, or by at most two standard errors. */
export function isFlat(
  { mean, growth, error }: Trend,
  allowed: { readonly share: number; readonly floor: number },
): boolean {
  return growth - 2 * error <= 0 || growth <= allowed.share * mean + allowed.floor;
}
