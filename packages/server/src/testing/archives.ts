import { buffer } from 'node:stream/consumers';
import type { InjectOptions } from 'fastify';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';

/** An archive of texts by path. `mode` is the file's type and permissions, as Unix has them. */
export async function zip(files: Record<string, string>, mode = 0o100644): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, text] of Object.entries(files)) archive.addBuffer(Buffer.from(text), path, { mode });
  archive.end();
  return buffer(archive.outputStream);
}

/** The texts of an archive by path, in its order. */
export async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const archive = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of archive.eachEntry()) {
    files[entry.fileName] = (await buffer(await archive.openReadStreamPromise(entry))).toString('utf8');
  }
  return files;
}

/** A multipart body with one file. */
export function file(name: string, fileName: string, content: Buffer | string): Partial<InjectOptions> {
  const head = `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--b--\r\n')]),
  };
}
