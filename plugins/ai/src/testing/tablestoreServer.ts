import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeRows, encodeRow, type Row } from '../embeddings/plainBuffer.ts';
import { bytesField, fieldsOf, intField, message, readMessage, textOf } from '../embeddings/protobuf.ts';
import { LocalServer, readBody } from './localServer.ts';

interface Call {
  readonly operation: string;
  readonly signature: string;
  /** In hexadecimal digits. */
  readonly body: string;
}

/** The calls of Tablestore that the store uses: it checks signatures, keeps rows and compares vectors. */
export class TablestoreServer extends LocalServer {
  readonly calls: Call[] = [];
  /** Codes that the next calls of PutRow respond with. */
  readonly refusals: string[] = [];
  #tables: string[] = [];
  #indexes: string[] = [];
  #rows = new Map<string, Row>();

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const operation = (request.url ?? '').slice(1);
    const signature = String(request.headers['x-ots-signature']);
    this.calls.push({ operation, signature, body: body.toString('hex') });
    const lines = Object.entries(request.headers)
      .filter(([name]) => name.startsWith('x-ots-') && name !== 'x-ots-signature')
      .map(([name, value]) => `${name}:${value}\n`)
      .sort();
    const expected = createHmac('sha1', 'secret').update(`/${operation}\nPOST\n\n${lines.join('')}`);
    const reply =
      signature === expected.digest('base64')
        ? this.#reply(operation, body)
        : { status: 403, body: failure('OTSAuthFailed', 'Signature mismatch.') };
    response.writeHead(reply.status ?? 200);
    response.end(reply.body);
  }

  #reply(operation: string, body: Buffer): { readonly status?: number; readonly body: Buffer } {
    const fields = readMessage(body);
    const row = () => fieldsOf(fields, 2).flatMap(({ bytes }) => decodeRows(bytes))[0];
    const consumed = bytesField(1, bytesField(1, message(intField(1, 0), intField(2, 1))));
    if (operation === 'ListTable')
      return { body: message(...this.#tables.map((name) => bytesField(1, name))) };
    if (operation === 'ListSearchIndex')
      return { body: message(...this.#indexes.map((name) => bytesField(1, bytesField(2, name)))) };
    if (operation === 'CreateTable') {
      this.#tables.push(textOf(readMessage(fieldsOf(fields, 1)[0]?.bytes ?? body), 1));
      return { body: Buffer.alloc(0) };
    }
    if (!this.#tables.includes(textOf(fields, 1)))
      return { status: 404, body: failure('OTSObjectNotExist', 'Requested table does not exist.') };
    if (operation === 'CreateSearchIndex') {
      this.#indexes.push(textOf(fields, 2));
      return { body: Buffer.alloc(0) };
    }
    if (operation === 'Search') return this.#search(fields);
    if (operation === 'GetRange')
      return {
        body: message(consumed, ...[...this.#rows.values()].map((one) => bytesField(2, encodeRow(one)))),
      };
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return { status: 503, body: failure(refusal, 'Try again.') };
    const changed = row();
    if (operation === 'PutRow' && changed) this.#rows.set(String(changed.key.id), changed);
    if (operation === 'DeleteRow') this.#rows.delete(String(changed?.key.id));
    return { body: consumed };
  }

  #search(fields: ReturnType<typeof readMessage>) {
    const query = readMessage(fieldsOf(fields, 4)[0]?.bytes ?? Buffer.alloc(0));
    const knn = readMessage(fieldsOf(query, 4)[0]?.bytes ?? Buffer.alloc(0));
    const nearest = readMessage(fieldsOf(knn, 2)[0]?.bytes ?? Buffer.alloc(0));
    const vector = fieldsOf(nearest, 4).map(({ bytes }) => bytes.readFloatLE());
    const found = [...this.#rows.values()]
      .map((row) => ({
        row,
        score: (1 + cosine(JSON.parse(String(row.columns.default_embedding)), vector)) / 2,
      }))
      .sort((a, b) => b.score - a.score)
      .slice(0, fieldsOf(nearest, 2)[0]?.value);
    return {
      body: message(
        ...found.map(({ row }) => bytesField(2, encodeRow(row))),
        intField(3, true),
        ...found.map(({ score }) => bytesField(5, message(doubleField(3, score)))),
      ),
    };
  }
}

const failure = (code: string, reason: string): Buffer => message(bytesField(1, code), bytesField(2, reason));

const doubleField = (field: number, value: number): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes[0] = (field << 3) | 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
};

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) /
  (Math.hypot(...a) * Math.hypot(...b) || 1);
