import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as chain, type Duplex, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ownPrefix, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { openCloudStorage, type PreparedFile } from './cloudStorage.ts';
import { decryptFile, encryptFile } from './encryption.ts';
import { downloadResponse, type EncryptionMaterial, uploadResponse } from './stageInfo.ts';

/** Runs `PUT` and `GET`. */
interface StageSession {
  transfer(sql: string): Promise<unknown>;
}

interface UploadRequest {
  readonly stageName: string;
  readonly prefix: string;
  readonly fileName: string;
  readonly from: string;
  readonly compress: boolean;
  readonly partBytes?: number;
}

/** Uploads a file of the internal storage to a stage and returns its path on the stage. */
export async function uploadToStage(
  context: TaskContext,
  session: StageSession,
  { stageName, prefix, fileName, from, compress, partBytes }: UploadRequest,
): Promise<string> {
  const name = `${fileName}${compress ? '.gz' : ''}`;
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  // The server reads the name of the file only; Google needs it for the URL to upload to.
  const options = `OVERWRITE = TRUE AUTO_COMPRESS = FALSE SOURCE_COMPRESSION = ${compress ? 'GZIP' : 'NONE'}`;
  const sql = `PUT ${quoted(`file:///tmp/${name}`)} ${stagePath(stageName, folder)} ${options}`;
  const { stageInfo, encryptionMaterial } = uploadResponse.parse(await session.transfer(sql));
  const storage = openCloudStorage(context, stageInfo, partBytes);
  const material = stageInfo.isClientSideEncrypted === false ? undefined : encryptionMaterial;
  const temporary = await mkdtemp(join(await context.workingDirectory(), `${ownPrefix}stage-`));
  try {
    const path = join(temporary, 'file');
    await storage.upload(await prepare(context, { from, compress, path, name, material }));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder === '' ? name : `${folder}/${name}`;
}

/** Writes the file as it is stored: compressed, then encrypted. Its digest is sent before its content. */
async function prepare(
  context: TaskContext,
  given: Pick<UploadRequest, 'from' | 'compress'> & {
    readonly path: string;
    readonly name: string;
    readonly material: EncryptionMaterial | undefined;
  },
): Promise<PreparedFile> {
  const { path, name, material } = given;
  if (material) context.masker.add(material.queryStageMasterKey);
  const encryption = material ? encryptFile(material) : undefined;
  const hash = createHash('sha256');
  const digest = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const stages = [
    ...(given.compress ? [createGzip()] : []),
    digest,
    ...(encryption ? [encryption.cipher] : []),
  ];
  const file = createWriteStream(path);
  const { signal } = context;
  await pipeline([Readable.from(await context.files.read(given.from)), ...stages, file], { signal });
  return {
    name,
    sizeBytes: file.bytesWritten,
    digest: hash.digest('base64'),
    fileKey: encryption?.fileKey,
    stream: () => createReadStream(path),
    async read(start, end) {
      const handle = await open(path);
      try {
        const part = Buffer.alloc(end - start);
        await handle.read(part, 0, part.length, start);
        return part;
      } finally {
        await handle.close();
      }
    },
  };
}

interface DownloadRequest {
  readonly stageName: string;
  readonly fileName: string;
  readonly compress: boolean;
}

/** Stores a file of a stage in the internal storage and returns its URI. */
export async function downloadFromStage(
  context: TaskContext,
  session: StageSession,
  { stageName, fileName, compress }: DownloadRequest,
): Promise<string> {
  const wanted = fileName.replace(/^\/+/, '');
  const response = await session.transfer(`GET ${stagePath(stageName, wanted)} 'file:///tmp/'`);
  const { stageInfo, src_locations, encryptionMaterial, presignedUrls } = downloadResponse.parse(response);
  const index = findFile(src_locations, wanted, compress);
  const source = src_locations[index];
  if (source === undefined)
    throw new TaskFailed(`The stage "${stageName}" has no file "${fileName}".${similar(src_locations)}`, {
      retry: false,
    });
  const stored = await openCloudStorage(context, stageInfo).download(source, presignedUrls?.[index]);
  const material = encryptionMaterial?.[index];
  if (stored.fileKey && !material)
    throw new TaskFailed(`Snowflake sent no key for the encrypted file "${source}".`, { retry: false });
  if (material) context.masker.add(material.queryStageMasterKey);
  const opened = compress ? [createGunzip()] : [];
  const base = source.split('/').at(-1) ?? source;
  const name = compress ? base.replace(/\.gz$/i, '') : base;
  try {
    const decoded = stored.fileKey && material ? [decryptFile(material, stored.fileKey)] : [];
    const steps: readonly Duplex[] = [...decoded, ...opened];
    // An error of any step ends the loop that reads the last one.
    const content = steps.reduce<Readable>(
      (from, to) => chain(from, to, () => {}),
      Readable.from(stored.body),
    );
    return await context.files.put(name, content);
  } catch (error) {
    throw explain(error, source);
  }
}

/** The requested file, or its compressed form; the server finds all names that begin like it. */
function findFile(names: readonly string[], wanted: string, compress: boolean): number {
  const isNamed = (target: string) => (name: string) => name === target || name.endsWith(`/${target}`);
  const exact = names.findIndex(isNamed(wanted));
  return exact >= 0 || !compress ? exact : names.findIndex(isNamed(`${wanted}.gz`));
}

const similar = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : ` Similar names: ${names
        .slice(0, 5)
        .map((name) => `"${name}"`)
        .join(', ')}.`;

function explain(error: unknown, source: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR')
    return new TaskFailed(
      `The file "${source}" is not compressed with gzip. Set "compress" to false to download it as it is.`,
      { retry: false, cause: error },
    );
  if (typeof code === 'string' && code.startsWith('ERR_OSSL_'))
    return new TaskFailed(`The file "${source}" cannot be decrypted with the key that Snowflake sent.`, {
      retry: false,
      cause: error,
    });
  return error;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function stagePath(stageName: string, path: string): string {
  const stage = `${stageName.startsWith('@') ? '' : '@'}${stageName.replace(/\/+$/, '')}`;
  return quoted(path === '' ? stage : `${stage}/${path}`);
}
