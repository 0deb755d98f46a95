import type { S3Client } from './s3Client.ts';
import { partsOf, textsOf } from './s3Xml.ts';

export interface Listed {
  readonly key: string;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

interface Options {
  readonly delimiter?: string;
  /** Objects per request; defaults to the service's page size. */
  readonly pageSize?: number;
}

/** Lists objects by key prefix, page by page. With a delimiter, lists folders instead of their contents. */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  { delimiter, pageSize }: Options,
): AsyncGenerator<Listed> {
  for (let token: string | undefined; ; ) {
    const response = await client.call('GET', '', {
      query: {
        'list-type': '2',
        prefix,
        // Keys may contain characters that XML does not allow.
        'encoding-type': 'url',
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(pageSize === undefined ? {} : { 'max-keys': String(pageSize) }),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      },
    });
    const xml = await response.text();
    const isEncoded = xml.includes('<EncodingType>url</EncodingType>');
    const keyOf = (part: string, element: string) => decodeKey(textsOf(part, element)[0] ?? '', isEncoded);
    for (const part of partsOf(xml, 'Contents')) {
      yield {
        key: keyOf(part, 'Key'),
        isFolder: false,
        sizeBytes: Number(textsOf(part, 'Size')[0] ?? 0),
        modifiedAt: Date.parse(textsOf(part, 'LastModified')[0] ?? '') || 0,
      };
    }
    for (const part of partsOf(xml, 'CommonPrefixes')) {
      yield { key: keyOf(part, 'Prefix'), isFolder: true, sizeBytes: 0, modifiedAt: 0 };
    }
    [token] = textsOf(xml, 'NextContinuationToken');
    if (token === undefined) return;
  }
}

const decodeKey = (text: string, isEncoded: boolean): string =>
  isEncoded ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
