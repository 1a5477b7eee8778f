/** Maps networks to values: finds every value that applies to an address with one look-up per prefix length in use. */
import { classifyAddress, networkKey, networkOf } from './address.ts';

const knownMax = 4096;
const nothing: readonly never[] = [];

/** Networks (as in `CidrSet`), each with a value. An address may be in several. */
export class NetworkMap<T> {
  readonly #lengths = new Map<
    string,
    { readonly bits: number; readonly version: 4 | 6; readonly values: Map<string | number, T[]> }
  >();
  readonly #words = new Map<string, T[]>();
  /** Cached answers for recent addresses: a network has few clients and many requests. */
  readonly #known = new Map<string, readonly T[]>();

  /** @throws PrivetError `invalid_input` when the text is not a CIDR, an address or a known word. */
  add(network: string, value: T): void {
    this.#known.clear();
    if (network === 'loopback' || network === 'private') {
      this.#words.set(network, [...(this.#words.get(network) ?? []), value]);
      return;
    }
    const { version, bits, key } = networkOf(network);
    const id = `${version}/${bits}`;
    let length = this.#lengths.get(id);
    if (length === undefined) {
      length = { bits, version, values: new Map() };
      this.#lengths.set(id, length);
    }
    const values = length.values.get(key);
    if (values === undefined) length.values.set(key, [value]);
    else values.push(value);
  }

  get isEmpty(): boolean {
    return this.#lengths.size === 0 && this.#words.size === 0;
  }

  /** The values of every network that contains the address; empty for text that is not an address. */
  of(address: string): readonly T[] {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    let found: readonly T[] = nothing;
    const take = (values: readonly T[] | undefined) => {
      if (values !== undefined) found = found.length === 0 ? values : [...found, ...values];
    };
    for (const { bits, version, values } of this.#lengths.values()) {
      const key = networkKey(address, version, bits);
      if (key !== undefined) take(values.get(key));
    }
    if (this.#words.size > 0) take(this.#words.get(classifyAddress(address)));
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(address, found);
    return found;
  }
}
