import { Duplex } from 'node:stream';

/** A stream with the methods that http-proxy calls on the socket it takes this for. */
export class ProxiedSocket extends Duplex {
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  destroySoon(): void {
    this.end();
  }
}
