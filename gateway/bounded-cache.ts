/** A least-recently-used cache that allocates no space in advance. */
import { LRUCache } from 'lru-cache';

const one = () => 1;

/** A cache of at most `max` entries. With its option `max` the package allocates all of them at once. */
export function boundedCache<K extends {}, V extends {}>(max: number): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: max, sizeCalculation: one });
}
