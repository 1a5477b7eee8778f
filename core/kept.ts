/** Values that are made once. */

type Store<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** The value under a key in a map; made and stored if there is none. */
export function keptIn<Key, Value>(store: Store<Key, Value>, key: Key, make: () => Value): Value {
  let value = store.get(key);
  if (value === undefined) {
    value = make();
    store.set(key, value);
  }
  return value;
}
