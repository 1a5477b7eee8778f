/**
 * Examines an exchange with an unregistered host: the request head, the start of a JSON body, the response head and the
 * start of the response. Keeps only names of signals.
 */
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import {
  answerBodyShapes,
  answerBytesMax,
  answerShapes,
  requestBodyShapes,
  requestBytesMax,
  requestShapes,
  type Shapes,
} from '../../policy/discovery-shapes.ts';
import { headerValue } from '../proxy/request/headers.ts';

/** The head of a request. */
export type ProbeRequest = {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
};

/** The start of a body, collected up to a limit and passed on once. */
class Prefix {
  readonly #max: number;
  readonly #onFull: (bytes: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  #isDone = false;

  constructor(max: number, onFull: (bytes: Buffer) => void) {
    this.#max = max;
    this.#onFull = onFull;
  }

  push(chunk: Buffer): void {
    if (this.#isDone) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= this.#max) this.end();
  }

  end(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    if (this.#size > 0) this.#onFull(Buffer.concat(this.#chunks).subarray(0, this.#max));
    this.#chunks = [];
  }
}

/** An exchange. Methods never throw and may be called at any time. */
export class Probe {
  readonly #onShapes: (shapes: Shapes) => void;
  readonly #isJson: boolean;
  readonly #hasModelPath: boolean;
  readonly #body: Prefix;
  #answer: Prefix | undefined;

  constructor(request: ProbeRequest, onShapes: (shapes: Shapes) => void) {
    this.#onShapes = onShapes;
    const type = headerValue(request.rawHeaders, 'content-type') ?? '';
    const coding = headerValue(request.rawHeaders, 'content-encoding');
    this.#isJson = /^(?:POST|PUT|PATCH)$/.test(request.method) && /json/i.test(type) && coding === undefined;
    const shapes = requestShapes(request);
    this.#hasModelPath = shapes.signals.includes('path-model-api');
    this.#body = new Prefix(requestBytesMax, (bytes) =>
      this.#tell(requestBodyShapes(bytes.toString('utf8'), this.#hasModelPath)),
    );
    this.#tell(shapes);
  }

  /** True if the request body is needed. */
  get wantsBody(): boolean {
    return this.#isJson;
  }

  /** Adds a piece of the request body, or all of it. */
  requestData(chunk: Buffer): void {
    if (this.#isJson) this.#body.push(chunk);
  }

  /** Adds the response head: the request is complete. */
  answerStart(status: number, rawHeaders: readonly string[]): void {
    this.#body.end();
    this.#tell(answerShapes(rawHeaders, this.#isJson && status < 300));
    const type = headerValue(rawHeaders, 'content-type') ?? '';
    if (!this.#isJson || !/json|event-stream/i.test(type)) return;
    const coding = (headerValue(rawHeaders, 'content-encoding') ?? 'identity').trim().toLowerCase();
    const isStream = /event-stream/i.test(type);
    this.#answer = new Prefix(isStream ? 2_048 : answerBytesMax, (bytes) => {
      void decoded(bytes, coding).then((text) => this.#tell(answerBodyShapes(text, type)));
    });
  }

  /** Adds a piece of the response, as received. */
  answerData(chunk: Buffer): void {
    this.#answer?.push(chunk);
  }

  /** Ends the response, complete or aborted. */
  answerEnd(): void {
    this.#answer?.end();
  }

  #tell(shapes: Shapes): void {
    if (shapes.signals.length > 0) this.#onShapes(shapes);
  }
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & { destroy(): void }>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
};

/** Decodes the start of a compressed body off the event loop; empty on failure. */
function decoded(bytes: Buffer, coding: string): Promise<string> {
  if (coding === 'identity' || coding === '') return Promise.resolve(bytes.toString('utf8'));
  const open = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (open === undefined) return Promise.resolve('');
  return new Promise((resolve) => {
    const decoder = open();
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => {
      decoder.removeAllListeners('data');
      resolve(Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8'));
      decoder.destroy();
    };
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= answerBytesMax) done();
    });
    decoder.once('end', done);
    // A truncated body ends with an error; the text is what was decoded before it.
    decoder.on('error', done);
    decoder.end(bytes);
  });
}
