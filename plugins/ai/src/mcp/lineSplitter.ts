import { StringDecoder } from 'node:string_decoder';

/** Calls back for each line of a stream of bytes. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #pending = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#pending + this.#decoder.write(Buffer.from(chunk))).split('\n');
    this.#pending = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
  }
}
