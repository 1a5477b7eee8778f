/**
 * Spans of OpenTelemetry, where the program has set it up. Its API keeps what is registered under one symbol for all copies
 * of the package, so that nothing has to be imported, and there is nothing to pay where it is not there.
 */

/** What is used of a span. */
type Span = {
  setAttribute(name: string, value: string | number | readonly string[]): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
};
type Tracer = { startSpan(name: string): Span };
type Registered = { readonly trace?: { getTracer(name: string): Tracer } };

/** Of opentelemetry.io/docs/specs/otel/trace/api: SpanStatusCode. */
const failed = 2;
const registry = Symbol.for('opentelemetry.js.api.1');

/** Counts of a span: never a text or a value. */
export type SpanCounts = Readonly<Record<string, number>>;

/** Runs some work in a span, `privet.mask`; `countsOf` says what of its result is told. */
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
