import { importModule, messageOf, readJsonMap, TaskFailed } from '@millrace/plugin-kit';
import type * as Yauzl from 'yauzl';

/** The parts of a secure connect bundle. */
interface Bundle {
  /** The metadata service. */
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const wrong = (reason: string) =>
  new TaskFailed(`"session.secureBundle" cannot be used: ${reason}`, { retry: false });

export async function readBundle(base64: string): Promise<Bundle> {
  const entries = await readZip(Buffer.from(base64, 'base64')).catch((error: unknown) => {
    throw wrong(messageOf(error));
  });
  const textIn = (name: string): string => {
    const content = entries.get(name);
    if (content === undefined) throw wrong(`the file "${name}" is missing.`);
    return content;
  };
  const config = readJsonMap(textIn('config.json'), 'config.json');
  if (typeof config.host !== 'string' || !Number.isInteger(Number(config.port)))
    throw wrong('"config.json" must have host and port.');
  return {
    host: config.host,
    port: Number(config.port),
    ca: textIn('ca.crt'),
    cert: textIn('cert'),
    key: textIn('key'),
  };
}

const maxEntryBytes = 1_048_576;

async function readZip(content: Buffer): Promise<Map<string, string>> {
  const loaded = await importModule<{ readonly default: typeof Yauzl }>('yauzl');
  const zip = await loaded.default.fromBufferPromise(content);
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    // A bundle also has key stores for Java, which are not needed here.
    if (entry.uncompressedSize > maxEntryBytes) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk));
    entries.set(entry.fileName, Buffer.concat(chunks).toString('utf8'));
  }
  return entries;
}
