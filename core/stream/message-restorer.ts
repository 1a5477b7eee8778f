/** Restores tokens in the text messages of a WebSocket: one JSON document each, several records with 0x1e between, or plain text. */
import type { RestoreCount } from '../payload/response.ts';
import type { AllowsHost } from '../url-guard.ts';
import type { TokenMap } from '../vault.ts';
import { EventRestorer } from './event-restorer.ts';

/** Options of {@link MessageRestorer}. */
export type MessageRestorerOptions = {
  readonly map: TokenMap;
  /** Hosts in whose addresses originals may stand; default none. */
  readonly allowsHost?: AllowsHost | undefined;
  readonly onCount?: (count: { readonly restored: number; readonly unresolved: number }) => void;
};

// SignalR ends every record with it.
const recordSeparator = '\x1e';

/** One direction of one connection. A message that does not change comes back as the same string. */
export class MessageRestorer {
  readonly #map: TokenMap;
  readonly #events: EventRestorer;
  readonly #count: RestoreCount = { restored: 0, unresolved: 0 };
  readonly #onCount: MessageRestorerOptions['onCount'];
  #usesRecords = false;

  constructor(options: MessageRestorerOptions) {
    this.#map = options.map;
    this.#onCount = options.onCount;
    this.#events = new EventRestorer({ map: options.map, count: this.#count, allowsHost: options.allowsHost });
  }

  /** Takes a message; returns the messages to send: itself, perhaps after others that carry what was held back. */
  push(message: string): string[] {
    if (this.#map.size === 0) return [message];
    const messages: string[] = [];
    if (message.includes(recordSeparator)) {
      this.#usesRecords = true;
      const records = message.split(recordSeparator).map((record) => this.#restore(record, messages));
      messages.push(records.join(recordSeparator));
    } else {
      messages.push(this.#restore(message, messages));
    }
    this.#report();
    return messages;
  }

  /** What is still held back, as messages of its own; also for a connection that has been silent for a while. */
  end(): string[] {
    const messages: string[] = [];
    for (const event of this.#events.flush()) this.#add(event.json, messages);
    this.#report();
    return messages;
  }

  #restore(text: string, messages: string[]): string {
    if (text === '') return text;
    if (!/^\s*[[{]/.test(text)) return this.#events.pushText(text, undefined, true);
    const result = this.#events.push(text, undefined);
    for (const event of result.before) this.#add(event.json, messages);
    return result.json ?? text;
  }

  #add(json: string, messages: string[]): void {
    messages.push(this.#usesRecords ? json + recordSeparator : json);
  }

  #report(): void {
    if (this.#count.restored === 0 && this.#count.unresolved === 0) return;
    this.#onCount?.({ ...this.#count });
    this.#count.restored = 0;
    this.#count.unresolved = 0;
  }
}
