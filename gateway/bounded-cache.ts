/** A cache that forgets what was used longest ago, and takes no room for what it does not hold yet. */
import { LRUCache } from 'lru-cache';

const one = () => 1;

/** A cache of at most `max` entries. With its option `max` the package allocates all of them at once. */
export function boundedCache<K extends {}, V extends {}>(max: number): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: max, sizeCalculation: one });
}
