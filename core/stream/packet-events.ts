/** Events of Socket.IO, whose texts may continue in the next packet: `42["token",{"text":"…"}]`. */
import { isJson, jsonLiteral } from '../payload/json-strings.ts';
import type { RestoreContext } from '../payload/response.ts';
import { EventRestorer } from './event-restorer.ts';
import type { SynthesizedEvent } from './restored-event.ts';

/** The type of a packet with an event, and its namespace. */
const eventPrefix = /^42(?:\/[^,]*,)?/;
/** The name of an event and its only argument. A text alone is more often a message than a piece of one. */
const event = /^(\s*\[\s*)("(?:[^"\\]|\\.)*")(\s*,\s*)(\{.*\})(\s*\]\s*)$/s;
// More namespaces than a connection has.
const namespacesMax = 100;

/** Restores the events of one connection, namespace by namespace. */
export class PacketEvents {
  readonly #context: RestoreContext;
  readonly #namespaces = new Map<string, EventRestorer>();

  constructor(context: RestoreContext) {
    this.#context = context;
  }

  /** The packet restored, behind packets with text that was held; undefined if it has no event of this form. */
  restore(prefix: string, json: string): string[] | undefined {
    const namespace = eventPrefix.exec(prefix)?.[0] ?? '';
    const [, opening, name = '', comma, argument = '', closing] = event.exec(json) ?? [];
    const events = namespace !== '' && isJson(argument) ? this.#eventsOf(namespace) : undefined;
    if (events === undefined) return undefined;
    const { before, json: restored = argument } = events.push(argument, JSON.parse(name));
    const packet = `${prefix}${opening}${name}${comma}${restored}${closing}`;
    return [...before.map((one) => packetOf(namespace, one)), packet];
  }

  /** Held text as packets. */
  flush(): string[] {
    return [...this.#namespaces].flatMap(([namespace, events]) =>
      events.flush().map((one) => packetOf(namespace, one)),
    );
  }

  #eventsOf(namespace: string): EventRestorer | undefined {
    const known = this.#namespaces.get(namespace);
    if (known || this.#namespaces.size >= namespacesMax) return known;
    const events = new EventRestorer(this.#context);
    this.#namespaces.set(namespace, events);
    return events;
  }
}

/** A packet without a number, because its receiver would acknowledge it. */
function packetOf(namespace: string, { name = '', json }: SynthesizedEvent): string {
  return `${namespace}[${jsonLiteral(name)},${json}]`;
}
