import { readInside, type TaskContext, walkInside, writeInside } from '@millrace/plugin-kit';
import type { Connection } from '../client/connection.ts';
import { listObjects } from '../s3/listObjects.ts';
import { deleteObjects } from '../s3/objects.ts';
import { openS3, type S3 } from '../s3/s3.ts';
import { uploadObject } from '../s3/upload.ts';

/** The working folder of a job in a bucket: `in` is copied to the containers, `out` is what they leave behind. */
export class FileExchange {
  readonly #s3: S3;
  readonly #bucket: string;
  readonly #prefix: string;

  private constructor(s3: S3, bucket: string, name: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#prefix = `millrace/${name}`;
  }

  /** The prefix is the name of the job, so that a server finds the files of a job that another server started. */
  static async open(
    context: TaskContext,
    { bucket, ...connection }: Connection & { readonly bucket?: string | undefined },
    name: string,
  ): Promise<FileExchange | undefined> {
    return bucket === undefined
      ? undefined
      : new FileExchange(await openS3(context, connection), bucket, name);
  }

  get address(): string {
    return `s3://${this.#bucket}/${this.#prefix}`;
  }

  async upload(folder: string): Promise<void> {
    for await (const { path, isLink } of walkInside(folder)) {
      if (isLink) continue;
      const place = { bucket: this.#bucket, key: `${this.#prefix}/in/${path}` };
      await uploadObject(this.#s3, { ...place, content: readInside(folder, path), headers: {} });
    }
  }

  async download(folder: string): Promise<void> {
    const from = `${this.#prefix}/out/`;
    const bucket = this.#bucket;
    for await (const key of this.#keys(from, 'FILES')) {
      const response = await this.#s3.call({ action: `GetObject of "${key}"`, method: 'GET', bucket, key });
      await writeInside(folder, key.slice(from.length), response.body);
    }
  }

  async clear(): Promise<void> {
    if (this.#s3.context.signal.aborted) return;
    const keys: string[] = [];
    for await (const key of this.#keys(`${this.#prefix}/`, 'BOTH')) keys.push(key);
    for (let start = 0; start < keys.length; start += 1000)
      await deleteObjects(this.#s3, this.#bucket, keys.slice(start, start + 1000));
  }

  async *#keys(prefix: string, filter: 'FILES' | 'BOTH'): AsyncGenerator<string> {
    const listing = { bucket: this.#bucket, prefix, maxKeys: 1000, filter };
    for await (const { key } of listObjects(this.#s3, listing)) yield key;
  }
}

const volume = 'work';

/** Settings that differ between the containers of AWS Batch and those of ECS. */
interface Helper {
  readonly size: object;
  readonly more?: object;
}

/** The containers of a job: the script, and with an exchange a copy of its files before and after it. */
export function containersOf(
  script: object,
  folder: string,
  exchange: FileExchange | undefined,
  { size, more }: Helper,
) {
  if (!exchange) return { containers: [{ ...script, name: 'main', essential: true }] };
  const mountPoints = [{ sourceVolume: volume, containerPath: folder }];
  const after = (containerName: string, condition: string) => [{ containerName, condition }];
  const copy = (name: string, from: string, to: string) => ({
    name,
    image: 'amazon/aws-cli:latest',
    essential: name === 'after',
    command: ['s3', 'sync', from, to],
    mountPoints,
    ...size,
    ...more,
  });
  return {
    containers: [
      copy('before', `${exchange.address}/in`, folder),
      { ...script, name: 'main', essential: false, mountPoints, dependsOn: after('before', 'SUCCESS') },
      { ...copy('after', folder, `${exchange.address}/out`), dependsOn: after('main', 'COMPLETE') },
    ],
    volumes: [{ name: volume, host: {} }],
  };
}

/** Neither service changes the folder of a container's command itself. */
export const inFolder = (folder: string, command: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  'cd "$0" && exec "$@"',
  folder,
  ...command,
];
