import { inflateSync } from 'node:zlib';
import { TaskFailed } from '@millrace/plugin-kit';

export interface RocketMessage {
  readonly messageId: string;
  readonly body: Buffer;
  readonly topic: string;
  readonly tags?: string | undefined;
  readonly keys?: string | undefined;
  readonly bornTimestamp: number;
  readonly queueOffset: bigint;
}

const [nameEnd, valueEnd] = ['\u0001', '\u0002'];

export const toProperties = (properties: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(properties)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}${nameEnd}${value}${valueEnd}`]))
    .join('');

const readProperties = (text: string): Map<string, string> =>
  new Map(
    text
      .split(valueEnd)
      .filter((pair) => pair.includes(nameEnd))
      .map((pair) => {
        const end = pair.indexOf(nameEnd);
        return [pair.slice(0, end), pair.slice(end + 1)] as const;
      }),
  );

/** Messages whose topic is longer than 127 bytes have two bytes for its length. */
const magicWithLongTopic = -626_843_477;
const flags = { compressed: 1, bornInV6: 1 << 4, storedInV6: 1 << 5, compression: 7 << 8 };
const zlib = 3 << 8;

/** Reads the messages of a pull response, one after the other as brokers store them. */
export function readStored(content: Buffer): RocketMessage[] {
  const found: RocketMessage[] = [];
  for (let start = 0; start < content.length; ) {
    const size = content.readInt32BE(start);
    found.push(readOne(content.subarray(start, start + size)));
    start += size;
  }
  return found;
}

function readOne(bytes: Buffer): RocketMessage {
  let at = 0;
  const slice = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const int = () => slice(4).readInt32BE(0);
  const long = () => slice(8).readBigInt64BE(0);
  int();
  const magic = int();
  int();
  int();
  int();
  const queueOffset = long();
  const physicalOffset = long();
  const sysFlag = int();
  const bornTimestamp = Number(long());
  slice(sysFlag & flags.bornInV6 ? 16 : 4);
  int();
  long();
  const storeHost = slice(sysFlag & flags.storedInV6 ? 16 : 4);
  const storePort = int();
  int();
  long();
  const body = unpack(Buffer.from(slice(int())), sysFlag);
  const topicLength = magic === magicWithLongTopic ? slice(2).readInt16BE(0) : slice(1).readInt8(0);
  const topic = slice(topicLength).toString('utf8');
  const properties = readProperties(slice(slice(2).readInt16BE(0)).toString('utf8'));
  const place = Buffer.alloc(12);
  place.writeInt32BE(storePort, 0);
  place.writeBigInt64BE(physicalOffset, 4);
  return {
    messageId: properties.get('UNIQ_KEY') ?? Buffer.concat([storeHost, place]).toString('hex').toUpperCase(),
    body,
    topic,
    tags: properties.get('TAGS'),
    keys: properties.get('KEYS'),
    bornTimestamp,
    queueOffset,
  };
}

function unpack(body: Buffer, sysFlag: number): Buffer {
  if (!(sysFlag & flags.compressed)) return body;
  const kind = sysFlag & flags.compression;
  if (kind === 0 || kind === zlib) return inflateSync(body);
  throw new TaskFailed('A message is compressed with LZ4 or Zstandard, which cannot be read.', {
    retry: false,
  });
}
