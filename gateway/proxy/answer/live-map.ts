import type { TokenMap } from '../../../core/vault.ts';

/** A session's tokens, including those added after the connection started. */
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
