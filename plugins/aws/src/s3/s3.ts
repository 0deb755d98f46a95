import { isIP } from 'node:net';
import { type OutboundResponse, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { type AwsClient, AwsError, encodePart, type Transport } from '../client/awsClient.ts';
import type { Connection } from '../client/connection.ts';
import { openClient } from '../client/openClient.ts';
import { endpointOf, services } from '../client/services.ts';

export interface S3Connection extends Connection {
  readonly compatibilityMode?: boolean | undefined;
  readonly forcePathStyle?: boolean | undefined;
}

export interface S3Call {
  /** For messages. */
  readonly action: string;
  readonly method: string;
  readonly bucket: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
  readonly accept?: readonly number[];
  /** Sent after the task was killed too. */
  readonly isCleanup?: boolean;
}

/** Calls the buckets of one service. Calls to a bucket in another region go to that region. */
export class S3 {
  readonly #client: AwsClient;
  readonly #usesPath: boolean;
  readonly #isAws: boolean;
  /** Clients by bucket, for buckets in other regions. */
  readonly #elsewhere = new Map<string, AwsClient>();

  constructor(client: AwsClient, options: { readonly usesPath: boolean; readonly isAws: boolean }) {
    this.#client = client;
    this.#usesPath = options.usesPath;
    this.#isAws = options.isAws;
  }

  get context(): TaskContext {
    return this.#client.context;
  }

  get region(): string {
    return this.#client.region;
  }

  async call(call: S3Call): Promise<OutboundResponse> {
    const client = this.#elsewhere.get(call.bucket) ?? this.#client;
    try {
      return await this.#send(client, call);
    } catch (error) {
      const region = error instanceof AwsError ? error.failure.region : undefined;
      if (!this.#isAws || region === undefined || region === client.region) throw error;
      const other = client.at(region, endpointOf(services.s3, region));
      this.#elsewhere.set(call.bucket, other);
      return this.#send(other, call);
    }
  }

  #send(client: AwsClient, { bucket, key = '', ...call }: S3Call): Promise<OutboundResponse> {
    checkNames(bucket, key);
    const path = `/${key.split('/').map(encodePart).join('/')}`;
    // The wildcard certificate is not valid for bucket names with dots.
    const inPath = this.#usesPath || !/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket);
    if (inPath) {
      const whole = key === '' ? `/${encodePart(bucket)}` : `/${encodePart(bucket)}${path}`;
      return client.send({ ...call, path: whole });
    }
    const host = new URL(client.endpoint);
    host.hostname = `${bucket}.${host.hostname}`;
    return client.at(client.region, host.origin).send({ ...call, path });
  }
}

/** Rejects `..` segments, which would address another bucket. */
function checkNames(bucket: string, key: string): void {
  if (bucket.trim() === '' || bucket.includes('/') || bucket === '.' || bucket === '..')
    throw new TaskFailed(`"${bucket}" is not the name of a bucket.`, { retry: false });
  if (key.split('/').some((step) => step === '.' || step === '..'))
    throw new TaskFailed(`The key "${key}" has "." or ".." as a step, which no address can hold.`, {
      retry: false,
    });
}

export async function openS3(
  context: TaskContext,
  connection: S3Connection,
  transport?: Transport,
): Promise<S3> {
  const client = await openClient(context, connection, 's3', transport);
  const { endpointOverride, forcePathStyle, compatibilityMode } = connection;
  const usesPath =
    endpointOverride !== undefined &&
    (forcePathStyle !== false || compatibilityMode === true || hasNoNames(endpointOverride));
  return new S3(client, {
    usesPath: usesPath || forcePathStyle === true,
    isAws: endpointOverride === undefined,
  });
}

/** Hosts below which there can be no other. */
function hasNoNames(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : '';
  return isIP(host) !== 0 || host === 'localhost';
}
