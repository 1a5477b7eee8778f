/** A live view of a session's tokens, for connections that outlive the state at their start. */
import type { TokenMap } from '../../../core/vault.ts';

/** The tokens of a session, including those added while the connection lives. */
export class LiveMap implements TokenMap {
  current: TokenMap | undefined;

  constructor(current?: TokenMap | undefined) {
    this.current = current;
  }

  get(token: string): string | undefined {
    return this.current?.get(token);
  }

  get size(): number {
    return this.current?.size ?? 0;
  }

  hasPrefix(partial: string): boolean {
    return this.current?.hasPrefix?.(partial) ?? this.size > 0;
  }

  entries(): Iterable<[token: string, value: string]> {
    return this.current?.entries() ?? [];
  }
}
