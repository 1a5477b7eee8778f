/** Access to private classes of PDF.js, captured when the first object of each is created. */

const requested = new Set<string>();

/** Calls `found` once per thread with the first object that gets this field of the library, guarded by a test. */
export function onFirst<T extends object>(field: string, found: (first: T) => void): void {
  if (requested.has(field)) return;
  requested.add(field);
  Object.defineProperty(Object.prototype, field, {
    configurable: true,
    set(this: T, value: unknown) {
      Reflect.deleteProperty(Object.prototype, field);
      Reflect.set(this, field, value);
      found(this);
    },
  });
}

/** The prototype that defines a method or property of an object; the object itself if none does. */
export function baseWith<T extends object>(object: T, name: string): T {
  let base = object;
  for (let next = object; next !== null; next = Object.getPrototypeOf(next)) {
    if (Object.hasOwn(next, name)) base = next;
  }
  return base;
}
