/** Classes that PDF.js keeps to itself, found when the first object of each is made. */

const asked = new Set<string>();

/**
 * Calls `found` with the first object that is given a field, once for this thread. The field's name is the library's: a
 * test tells when it is no longer so.
 */
export function onFirst<T extends object>(field: string, found: (first: T) => void): void {
  if (asked.has(field)) return;
  asked.add(field);
  Object.defineProperty(Object.prototype, field, {
    configurable: true,
    set(this: T, value: unknown) {
      Reflect.deleteProperty(Object.prototype, field);
      Reflect.set(this, field, value);
      found(this);
    },
  });
}

/** The prototype of the class that an object's class has a method or property from, the object itself where none has it. */
export function baseWith<T extends object>(object: T, name: string): T {
  let base = object;
  for (let next = object; next !== null; next = Object.getPrototypeOf(next)) {
    if (Object.hasOwn(next, name)) base = next;
  }
  return base;
}
