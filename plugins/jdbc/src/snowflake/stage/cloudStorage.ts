import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  importModule,
  type OutboundRequest,
  type OutboundResponse,
  readXml,
  type TaskContext,
  TaskFailed,
  textAt,
  toXml,
} from '@millrace/plugin-kit';
import type { AwsV4Signer } from 'aws4fetch';
import { readText } from '../../http/httpSession.ts';
import type { FileKey } from './encryption.ts';
import type { StageInfo } from './stageInfo.ts';

/** A file that is ready to be sent, in parts that are read from disk. */
export interface PreparedFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** SHA-256 of the content before it was encrypted, in Base64. */
  readonly digest: string;
  readonly fileKey: FileKey | undefined;
  read(start: number, end: number): Promise<Uint8Array>;
  stream(): AsyncIterable<Uint8Array>;
}

export interface StoredFile {
  readonly body: AsyncIterable<Uint8Array>;
  readonly fileKey: Omit<FileKey, 'description'> | undefined;
}

/** The cloud storage behind a stage. Names are relative to the stage. */
export interface CloudStorage {
  upload(file: PreparedFile): Promise<void>;
  /** Google Cloud Storage may provide a URL for each file. */
  download(name: string, presignedUrl?: string): Promise<StoredFile>;
}

/** One part is held in memory; S3 accepts 10,000 of them, which is 160 GB. */
const defaultPartBytes = 16 * 1_048_576;
const maxTries = 4;

export function openCloudStorage(
  context: TaskContext,
  stage: StageInfo,
  partBytes = defaultPartBytes,
): CloudStorage {
  for (const value of Object.values(stage.creds ?? {})) if (value) context.masker.add(value);
  switch (stage.locationType) {
    case 'S3':
      return openS3(context, stage, partBytes);
    case 'AZURE':
      return openAzure(context, stage, partBytes);
    case 'GCS':
      return openGoogle(context, stage);
    default:
      throw new TaskFailed(
        `The stage is stored in "${stage.locationType}". This task supports stages in S3, AZURE and GCS.`,
        { retry: false },
      );
  }
}

/** Percent-encodes all but unreserved characters, as signatures require. */
const encodePart = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** `bucket/folder` and a name as the bucket and the encoded path of the object. */
function objectOf({ location }: StageInfo, name: string): { bucket: string; path: string } {
  const [bucket = '', ...folders] = location.split('/');
  const path = [...folders, ...name.split('/')].filter((part) => part !== '');
  return { bucket, path: path.map(encodePart).join('/') };
}

const headerOf = ({ headers }: OutboundResponse, name: string): string | undefined => headers[name]?.[0];

type Request = Omit<OutboundRequest, 'signal' | 'decompress' | 'followRedirects'> & {
  readonly method: string;
};

/** Sends a request that can be repeated; throttling and failures of the storage are retried with backoff. */
async function send(context: TaskContext, sign: () => Request | Promise<Request>): Promise<OutboundResponse> {
  const { signal } = context;
  for (let tries = 1; ; tries++) {
    const isLast = tries >= maxTries;
    const request = await sign();
    const response = await context
      .fetch({ ...request, signal, decompress: false, followRedirects: false })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (isLast || error instanceof TaskFailed) throw error;
      });
    if (response) {
      if (response.status < 300) return response;
      const text = await readText(response, 1_048_576);
      const mayRetry = response.status >= 500 || response.status === 429 || response.status === 408;
      if (isLast || !mayRetry) throw await refused(request, response.status, text);
    }
    await delay(Math.random() * 100 * 2 ** tries, undefined, { signal });
  }
}

/** The address without its query, which may hold a signature. */
async function refused({ url, method }: Request, status: number, text: string): Promise<TaskFailed> {
  const { host } = new URL(url);
  const xml = text.trimStart().startsWith('<') ? await readXml(text).catch(() => undefined) : undefined;
  const reason = xml && [textAt(xml, 'Code'), textAt(xml, 'Message')].filter(Boolean).join(': ');
  const act = method === 'GET' ? 'read' : 'write';
  return new TaskFailed(
    `The storage of the stage, ${host}, did not ${act} the file: HTTP status ${status}${reason ? `, ${reason.trim().replace(/\.$/, '')}` : ''}.`,
    { retry: status >= 500 || status === 429 || status === 408 },
  );
}

/** Reads a response that carries nothing of interest, so that its connection can be reused. */
async function finish(response: OutboundResponse): Promise<OutboundResponse> {
  await readText(response, 1_048_576);
  return response;
}

function openS3(context: TaskContext, stage: StageInfo, partBytes: number): CloudStorage {
  const region = stage.region ?? 'us-east-1';
  const host = stage.endPoint ?? `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const urlOf = (name: string) => {
    const { bucket, path } = objectOf(stage, name);
    return `https://${bucket}.${host}/${path}`;
  };
  const call = (
    method: string,
    url: string,
    headers: Record<string, string> = {},
    body: string | Uint8Array = '',
  ) =>
    send(context, async () => {
      const { AwsV4Signer: Signer } = await importModule<{ AwsV4Signer: typeof AwsV4Signer }>('aws4fetch');
      const { AWS_KEY_ID, AWS_SECRET_KEY, AWS_TOKEN } = stage.creds ?? {};
      const signer = new Signer({
        method,
        url,
        headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
        accessKeyId: AWS_KEY_ID ?? '',
        secretAccessKey: AWS_SECRET_KEY ?? '',
        ...(AWS_TOKEN ? { sessionToken: AWS_TOKEN } : {}),
        service: 's3',
        region,
      });
      const signed = Object.fromEntries((await signer.sign()).headers);
      const hasBody = method !== 'GET' && method !== 'DELETE';
      return {
        method,
        url,
        headers: { ...signed, ...(hasBody && { 'content-length': String(Buffer.byteLength(body)) }) },
        ...(hasBody && { body }),
      };
    });

  return {
    async upload(file) {
      const url = urlOf(file.name);
      const metadata: Record<string, string> = {
        'content-type': 'application/octet-stream',
        'x-amz-meta-sfc-digest': file.digest,
        ...(file.fileKey && {
          'x-amz-meta-x-amz-key': file.fileKey.key,
          'x-amz-meta-x-amz-iv': file.fileKey.iv,
          'x-amz-meta-x-amz-matdesc': file.fileKey.description,
        }),
      };
      if (file.sizeBytes <= partBytes) {
        await finish(await call('PUT', url, metadata, await file.read(0, file.sizeBytes)));
        return;
      }
      const begun = await readXml(await readText(await call('POST', `${url}?uploads=`, metadata)));
      const upload = `uploadId=${encodePart(textAt(begun, 'UploadId') ?? '')}`;
      try {
        const parts: string[] = [];
        for (let start = 0; start < file.sizeBytes; start += partBytes) {
          const number = parts.length + 1;
          const body = await file.read(start, Math.min(start + partBytes, file.sizeBytes));
          const sent = await finish(await call('PUT', `${url}?partNumber=${number}&${upload}`, {}, body));
          const tag = toXml('ETag', headerOf(sent, 'etag') ?? '');
          parts.push(`<Part>${toXml('PartNumber', String(number))}${tag}</Part>`);
        }
        const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
        const done = await readXml(await readText(await call('POST', `${url}?${upload}`, {}, list)));
        // S3 starts to respond before it has joined the parts, so a failure can follow the status 200.
        if (done.name === 'Error')
          throw new Error(`S3 could not join the parts of the file: ${textAt(done, 'Message')}`);
      } catch (error) {
        // Parts that are left behind cost money, and no listing shows them.
        await call('DELETE', `${url}?${upload}`).then(finish, () => {});
        throw error;
      }
    },
    async download(name) {
      const response = await call('GET', urlOf(name));
      const key = headerOf(response, 'x-amz-meta-x-amz-key');
      const iv = headerOf(response, 'x-amz-meta-x-amz-iv');
      return { body: response.body, fileKey: key && iv ? { key, iv } : undefined };
    },
  };
}

/** Azure and Google store the key of a file as JSON. */
const encryptionData = ({ key, iv }: FileKey): string =>
  JSON.stringify({
    EncryptionMode: 'FullBlob',
    WrappedContentKey: { KeyId: 'symmKey1', EncryptedKey: key, Algorithm: 'AES_CBC_256' },
    EncryptionAgent: { Protocol: '1.0', EncryptionAlgorithm: 'AES_CBC_256' },
    ContentEncryptionIV: iv,
    KeyWrappingMetadata: { EncryptionLibrary: 'Java 5.3.0' },
  });

function readEncryptionData(text: string | undefined): StoredFile['fileKey'] {
  if (text === undefined || text === '') return undefined;
  // `as`: written by a client of Snowflake; absent fields mean that the file is not encrypted.
  const data = JSON.parse(text) as {
    WrappedContentKey?: { EncryptedKey?: string };
    ContentEncryptionIV?: string;
  } | null;
  const key = data?.WrappedContentKey?.EncryptedKey;
  const iv = data?.ContentEncryptionIV;
  return key && iv ? { key, iv } : undefined;
}

function openAzure(context: TaskContext, stage: StageInfo, partBytes: number): CloudStorage {
  const domain = (stage.endPoint ?? 'core.windows.net').replace(/^blob\./, '');
  const token = (stage.creds?.AZURE_SAS_TOKEN ?? '').replace(/^\?/, '');
  const urlOf = (name: string, query = '') => {
    const { bucket, path } = objectOf(stage, name);
    return `https://${stage.storageAccount}.blob.${domain}/${bucket}/${path}?${query}${token}`;
  };
  const put = async (url: string, headers: Record<string, string>, body: string | Uint8Array) =>
    finish(
      await send(context, () => ({
        method: 'PUT',
        url,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        body,
      })),
    );

  return {
    async upload(file) {
      const metadata: Record<string, string> = {
        'x-ms-blob-content-type': 'application/octet-stream',
        'x-ms-meta-sfcdigest': file.digest,
        ...(file.fileKey && {
          'x-ms-meta-encryptiondata': encryptionData(file.fileKey),
          'x-ms-meta-matdesc': file.fileKey.description,
        }),
      };
      if (file.sizeBytes <= partBytes) {
        const body = await file.read(0, file.sizeBytes);
        await put(urlOf(file.name), { 'x-ms-blob-type': 'BlockBlob', ...metadata }, body);
        return;
      }
      const blocks: string[] = [];
      for (let start = 0; start < file.sizeBytes; start += partBytes) {
        // All ids of a blob have the same length.
        const id = Buffer.from(String(blocks.length).padStart(8, '0')).toString('base64');
        const body = await file.read(start, Math.min(start + partBytes, file.sizeBytes));
        await put(urlOf(file.name, `comp=block&blockid=${encodePart(id)}&`), {}, body);
        blocks.push(toXml('Latest', id));
      }
      const list = `<BlockList>${blocks.join('')}</BlockList>`;
      await put(
        urlOf(file.name, 'comp=blocklist&'),
        { 'content-type': 'application/xml', ...metadata },
        list,
      );
    },
    async download(name) {
      const response = await send(context, () => ({ method: 'GET', url: urlOf(name) }));
      return {
        body: response.body,
        fileKey: readEncryptionData(headerOf(response, 'x-ms-meta-encryptiondata')),
      };
    },
  };
}

function openGoogle(context: TaskContext, stage: StageInfo): CloudStorage {
  const token = stage.creds?.GCS_ACCESS_TOKEN;
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const host = stage.useRegionalUrl
    ? `storage.${(stage.region ?? '').toLowerCase()}.rep.googleapis.com`
    : 'storage.googleapis.com';
  const urlOf = (name: string, presignedUrl: string | undefined) => {
    if (!token && presignedUrl) {
      context.masker.add(presignedUrl);
      return presignedUrl;
    }
    const { bucket, path } = objectOf(stage, name);
    if (stage.endPoint) return `https://${stage.endPoint}/${bucket}/${path}`;
    return stage.useVirtualUrl ? `https://${bucket}.${host}/${path}` : `https://${host}/${bucket}/${path}`;
  };

  return {
    async upload(file) {
      const sent = await send(context, () => ({
        method: 'PUT',
        url: urlOf(file.name, stage.presignedUrl),
        headers: {
          ...authorization,
          'content-length': String(file.sizeBytes),
          'x-goog-meta-sfc-digest': file.digest,
          ...(file.fileKey && {
            'x-goog-meta-encryptiondata': encryptionData(file.fileKey),
            'x-goog-meta-matdesc': file.fileKey.description,
          }),
        },
        body: file.stream(),
      }));
      await finish(sent);
    },
    async download(name, presignedUrl) {
      const url = urlOf(name, presignedUrl);
      const response = await send(context, () => ({ method: 'GET', url, headers: authorization }));
      return {
        body: response.body,
        fileKey: readEncryptionData(headerOf(response, 'x-goog-meta-encryptiondata')),
      };
    },
  };
}
