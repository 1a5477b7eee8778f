/** Restores tokens in WebSocket messages: JSON, a Socket.IO packet, records separated by 0x1e, or plain text. */

import type { WireFormats } from '../formats/wire-formats.ts';
import type { AllowsHost } from '../guard/url-guard.ts';
import { isJson, jsonOpening } from '../payload/json-strings.ts';
import { packetPrefix } from '../payload/packets.ts';
import { type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import type { TokenMap } from '../vault.ts';
import { EventRestorer } from './event-restorer.ts';
import { isHeavyEvent } from './heavy-event.ts';
import { NestedEvents } from './nested-events.ts';
import { PacketEvents } from './packet-events.ts';

/** Options of {@link MessageRestorer}. */
export type MessageRestorerOptions = {
  readonly map: TokenMap;
  /** Hosts whose URLs may contain originals; default none. */
  readonly allowsHost?: AllowsHost | undefined;
  /** The wire formats to read; default all. */
  readonly formats?: WireFormats | undefined;
  /** Tokens that replaced numbers; may grow. */
  readonly numbers?: ReadonlySet<string> | undefined;
  readonly onCount?: (count: Readonly<RestoreCount>) => void;
};

// SignalR ends every record with 0x1e.
const recordSeparator = '\x1e';

/** Restores one direction of a connection. An unchanged message is returned as the same string. */
export class MessageRestorer {
  readonly #context: RestoreContext;
  readonly #events: EventRestorer;
  readonly #nested: NestedEvents;
  readonly #packets: PacketEvents;
  readonly #count: RestoreCount = { restored: 0, unresolved: 0 };
  readonly #onCount: MessageRestorerOptions['onCount'];
  #usesRecords = false;

  constructor(options: MessageRestorerOptions) {
    this.#onCount = options.onCount;
    const { map, allowsHost, formats, numbers } = options;
    this.#context = { map, count: this.#count, allowsHost, formats, numbers };
    this.#events = new EventRestorer(this.#context);
    this.#nested = new NestedEvents(this.#context);
    this.#packets = new PacketEvents(this.#context);
  }

  /** Processes a message; returns the messages to send: held text first, if any, then the message. */
  push(message: string): string[] {
    if (this.#context.map.size === 0) return [message];
    if (isHeavyEvent(message)) {
      this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      return [...this.end(), message];
    }
    let messages: string[] = [];
    if (message.includes(recordSeparator)) {
      this.#usesRecords = true;
      // Insert events between the records of the message.
      const records: string[] = [];
      for (const record of message.split(recordSeparator)) this.#restore(record, records);
      messages = [records.join(recordSeparator)];
    } else {
      this.#restore(message, messages);
    }
    this.#report();
    return messages;
  }

  /** Returns held text as separate messages; also called when a connection has been silent for a while. */
  end(): string[] {
    const held = [...this.#events.flush().map(({ json }) => json), ...this.#nested.flush()];
    const messages = held.map((json) => (this.#usesRecords ? json + recordSeparator : json));
    messages.push(...this.#packets.flush());
    this.#report();
    return messages;
  }

  #restore(text: string, out: string[]): void {
    const prefix = packetPrefix(text);
    if (prefix !== '') {
      const json = text.slice(prefix.length);
      out.push(...(this.#packets.restore(prefix, json) ?? [prefix + this.#restoreWhole(json)]));
      return;
    }
    if (!/^\s*[[{]/.test(text)) {
      out.push(text === '' ? text : this.#events.pushText(text, undefined, true));
      return;
    }
    if (!isJson(text)) {
      // Text that opens with a bracket but is not valid JSON.
      const isBroken = jsonOpening.test(text);
      if (isBroken) this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      out.push(isBroken ? text : this.#events.pushText(text, undefined, true));
      return;
    }
    const nested = this.#nested.restore(text);
    if (nested !== undefined) {
      out.push(nested);
      return;
    }
    const result = this.#events.push(text, undefined);
    for (const event of result.before) out.push(event.json);
    out.push(result.json ?? text);
  }

  /** Restores a packet completely: what it acknowledges, or several arguments, are not continued by another one. */
  #restoreWhole(json: string): string {
    const { map, allowsHost, formats, numbers } = this.#context;
    const { body, restored, unresolved } = restoreJsonBody(json, map, allowsHost, { formats, numbers });
    this.#count.restored += restored;
    this.#count.unresolved += unresolved;
    return body;
  }

  #report(): void {
    if (this.#count.restored === 0 && this.#count.unresolved === 0 && !this.#count.unreadable) return;
    this.#onCount?.({ ...this.#count });
    this.#count.restored = 0;
    this.#count.unresolved = 0;
    this.#count.unreadable = 0;
  }
}
