/**
 * OpenTelemetry spans, if the program has set it up. All copies of its API package share one global symbol, so nothing
 * is imported, and programs without OpenTelemetry pay nothing.
 */

/** The used part of a span. */
type Span = {
  setAttribute(name: string, value: string | number | readonly string[]): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
};
type Tracer = { startSpan(name: string): Span };
type Registered = { readonly trace?: { getTracer(name: string): Tracer } };

/** SpanStatusCode of opentelemetry.io/docs/specs/otel/trace/api. */
const failed = 2;
const registry = Symbol.for('opentelemetry.js.api.1');

/** The attributes of a span are counts, never a text or a value. */
export type SpanCounts = Readonly<Record<string, number>>;

/** Runs work in a span such as `privet.mask`; `countsOf` turns its result into attributes. */
export async function inSpan<T>(
  name: string,
  work: () => T | Promise<T>,
  countsOf: (result: T) => SpanCounts,
): Promise<T> {
  const { trace } = ((globalThis as Record<symbol, unknown>)[registry] ?? {}) as Registered;
  if (trace === undefined) return work();
  const span = trace.getTracer('privet-sdk').startSpan(name);
  try {
    const result = await work();
    const counts = Object.entries(countsOf(result)).filter(([, count]) => count > 0);
    span.setAttribute(
      'privet.values',
      counts.reduce((sum, [, count]) => sum + count, 0),
    );
    span.setAttribute(
      'privet.types',
      counts.map(([type]) => type),
    );
    return result;
  } catch (error) {
    span.setStatus({ code: failed });
    throw error;
  } finally {
    span.end();
  }
}
