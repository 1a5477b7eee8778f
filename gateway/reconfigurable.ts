/** How parts follow a new configuration: all of them prepare, and only if none failed, all of them switch. */
import type { Config } from '../config/load.ts';

/** Switches to what was prepared; never fails. */
export type Commit = () => void;

/** A part that follows the configuration. `prepare` does everything that can fail, and changes nothing. */
export type Reconfigurable = { prepare(config: Config): Commit };

/** Prepares all parts, in order; the result switches all of them in one turn of the event loop. */
export function prepareAll(parts: readonly Reconfigurable[], config: Config): Commit {
  const commits = parts.map((part) => part.prepare(config));
  return () => {
    for (const commit of commits) commit();
  };
}
