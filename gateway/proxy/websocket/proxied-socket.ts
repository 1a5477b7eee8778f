import { Duplex } from 'node:stream';

/** A stream with the socket methods that http-proxy calls. */
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
