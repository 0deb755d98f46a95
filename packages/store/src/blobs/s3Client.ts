import { createHash } from 'node:crypto';
import { AppError } from '@millrace/contract';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from './blobConfig.ts';
import { textsOf, toXml } from './s3Xml.ts';

interface Call {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
  /** Statuses that are not failures. */
  readonly accept?: readonly number[];
}

/** Signed requests to one bucket. Implements only signing, because nothing else of a client is needed. */
export class S3Client {
  readonly #aws: AwsClient;
  readonly #base: string;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey, sessionToken }: S3Config) {
    this.#aws = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region,
      retries: 4,
    });
    // Path style: every service supports it, whatever its host names are.
    const host = (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
    this.#base = `${host}/${encodeURIComponent(bucket)}`;
  }

  async call(method: string, key: string, { query = {}, headers = {}, body, accept = [] }: Call = {}) {
    const path = key === '' ? this.#base : `${this.#base}/${encodeKey(key)}`;
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodePart(value)}`);
    const url = search.length === 0 ? path : `${path}?${search.join('&')}`;
    let response: Response;
    try {
      response = await this.#aws.fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    } catch (cause) {
      throw new AppError('unavailable', 'The object storage cannot be reached.', { cause });
    }
    if (response.ok || accept.includes(response.status)) return response;
    const [code] = textsOf(await response.text(), 'Code');
    throw new AppError(
      'unavailable',
      `The object storage answered ${response.status}${code === undefined ? '' : ` (${code})`} to ${method}.`,
    );
  }

  async deleteAll(keys: readonly string[]): Promise<void> {
    const objects = keys.map((key) => `<Object>${toXml('Key', key)}</Object>`).join('');
    const body = `<Delete><Quiet>true</Quiet>${objects}</Delete>`;
    const md5 = createHash('md5').update(body).digest('base64');
    const response = await this.call('POST', '', {
      query: { delete: '' },
      headers: { 'content-md5': md5, 'content-type': 'application/xml' },
      body,
    });
    // Quiet mode: the response lists objects that were not deleted, although the request succeeded.
    const [failed] = textsOf(await response.text(), 'Message');
    if (failed !== undefined)
      throw new AppError('unavailable', `The object storage could not delete: ${failed}`);
  }
}

export const encodeKey = (key: string): string => key.split('/').map(encodePart).join('/');

/** Percent-encodes everything except unreserved characters, as the signature requires. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
