/** Memory for what is read from connections and taken at once. */
import type { Socket } from 'node:net';

const roomBytes = 65_536;

/**
 * Where Node keeps the buffer that a socket reads into, and who is called with it. Only a socket that is made by us can be
 * given them (`onread`), and a server makes its own.
 */
type Slots = { readonly buffer: symbol; readonly callback: symbol };
type Handle = { useUserBuffer?(buffer: Buffer): void };
type Insides = { [slot: symbol]: unknown; readonly _handle?: Handle | null };

/**
 * Lets connections be read into one buffer. Node takes 64 KiB for each read, copies what has come into a buffer of that
 * size and gives the 64 KiB back: 0 to 6 µs of 45 for a call of /mask, by how calls arrive (decision 0018).
 */
export class ReadRoom {
  readonly #buffer = Buffer.allocUnsafeSlow(roomBytes);
  readonly #takers = new WeakMap<Socket, (bytes: Buffer) => void>();
  #slots: Slots | undefined;

  /**
   * From now on `take` gets what comes over a connection, which gives no `data`. The bytes hold until it returns; who
   * needs them longer copies them. Where Node is another than this was written for, they are those of `data`.
   */
  read(socket: Socket, take: (bytes: Buffer) => void): void {
    const insides = socket as unknown as Insides;
    this.#slots ??= slotsOf(socket);
    if (this.#slots === undefined || insides._handle?.useUserBuffer === undefined) {
      this.#takers.set(socket, take);
      socket.on('data', take);
      return;
    }
    const buffer = this.#buffer;
    insides[this.#slots.buffer] = buffer;
    insides[this.#slots.callback] = (size: number) => {
      take(buffer.subarray(0, size));
      return true;
    };
    insides._handle.useUserBuffer(buffer);
  }

  /** From now on a connection gives `data`, as any other does. */
  release(socket: Socket): void {
    const take = this.#takers.get(socket);
    if (take !== undefined) socket.off('data', take);
    else if (this.#slots !== undefined) {
      const buffer = this.#buffer;
      // The room stays where what is read arrives: Node has no way back.
      (socket as unknown as Insides)[this.#slots.callback] = (size: number) =>
        socket.push(Buffer.from(buffer.subarray(0, size)));
    }
  }
}

function slotsOf(socket: Socket): Slots | undefined {
  const find = (name: string) => Object.getOwnPropertySymbols(socket).find(({ description }) => description === name);
  const buffer = find('kBuffer');
  const callback = find('kBufferCb');
  return buffer === undefined || callback === undefined ? undefined : { buffer, callback };
}
