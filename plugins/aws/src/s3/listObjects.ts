import {
  createFullMatcher,
  findElement,
  findElements,
  readXml,
  textAt,
  type XmlElement,
} from '@millrace/plugin-kit';
import { readText } from '../client/awsClient.ts';
import type { S3 } from './s3.ts';

export interface S3Entry {
  readonly key: string;
  readonly isFolder: boolean;
  readonly etag?: string | undefined;
  readonly size: number;
  readonly lastModified?: Date | undefined;
  readonly owner?:
    | { readonly id?: string | undefined; readonly displayName?: string | undefined }
    | undefined;
  readonly checksumAlgorithm?: string | undefined;
  /** Only of listings that include versions. */
  readonly versionId?: string | undefined;
}

export interface ListInput {
  readonly bucket: string;
  readonly prefix?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly marker?: string | undefined;
  readonly maxKeys: number;
  readonly regexp?: string | undefined;
  readonly filter: 'FILES' | 'DIRECTORY' | 'BOTH';
  readonly expectedBucketOwner?: string | undefined;
  readonly requestPayer?: string | undefined;
  /** The first version of the API, for services without the second. */
  readonly usesMarkers?: boolean | undefined;
}

/** Objects of a bucket in the order of their keys, page by page. With a delimiter, folders instead of their content. */
export async function* listObjects(s3: S3, input: ListInput): AsyncGenerator<S3Entry, void, undefined> {
  const matches = createFullMatcher(input.regexp, 'regexp');
  for (let token: string | undefined; ; ) {
    const xml = await readPage(s3, input, token);
    const isEncoded = textAt(xml, 'EncodingType') === 'url';
    const entries = [
      ...findElements(xml, 'Contents').map((element) => toEntry(element, isEncoded)),
      ...findElements(xml, 'CommonPrefixes').map((element) => toFolder(element, isEncoded)),
    ].sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const entry of entries) {
      const isWanted = input.filter === 'BOTH' || (input.filter === 'DIRECTORY') === entry.isFolder;
      if (isWanted && matches(entry.key)) yield entry;
    }
    token = input.usesMarkers ? nextMarker(xml, entries, isEncoded) : textAt(xml, 'NextContinuationToken');
    if (token === undefined || textAt(xml, 'IsTruncated') === 'false') return;
  }
}

/** A service may leave the marker out, which is the last key of the page then. */
function nextMarker(xml: XmlElement, entries: readonly S3Entry[], isEncoded: boolean): string | undefined {
  const marker = textAt(xml, 'NextMarker');
  return marker === undefined || marker === '' ? entries.at(-1)?.key : decode(marker, isEncoded);
}

/** As `listObjects`, with every version of an object. A service without versions lists its objects. */
export async function* listVersions(s3: S3, input: ListInput): AsyncGenerator<S3Entry, void, undefined> {
  const matches = createFullMatcher(input.regexp, 'regexp');
  for (let marker = { key: input.marker, version: undefined as string | undefined }; ; ) {
    const response = await s3.call({
      action: `ListObjectVersions in "${input.bucket}"`,
      method: 'GET',
      bucket: input.bucket,
      query: {
        versions: '',
        'encoding-type': 'url',
        'max-keys': String(input.maxKeys),
        prefix: input.prefix,
        delimiter: input.delimiter,
        'key-marker': marker.key,
        'version-id-marker': marker.version,
      },
    });
    const xml = await readXml(await readText(response));
    const isEncoded = textAt(xml, 'EncodingType') === 'url';
    const entries = [
      ...[...findElements(xml, 'Version'), ...findElements(xml, 'Contents')].map((each) =>
        toEntry(each, isEncoded),
      ),
      ...findElements(xml, 'CommonPrefixes').map((element) => toFolder(element, isEncoded)),
    ];
    for (const entry of entries) {
      const isWanted = input.filter === 'BOTH' || (input.filter === 'DIRECTORY') === entry.isFolder;
      if (isWanted && matches(entry.key)) yield entry;
    }
    const key = textAt(xml, 'NextKeyMarker');
    if (key === undefined || textAt(xml, 'IsTruncated') !== 'true') return;
    marker = { key: decode(key, isEncoded), version: textAt(xml, 'NextVersionIdMarker') };
  }
}

async function readPage(s3: S3, input: ListInput, token: string | undefined): Promise<XmlElement> {
  const response = await s3.call({
    action: `ListObjects in "${input.bucket}"`,
    method: 'GET',
    bucket: input.bucket,
    query: {
      // Keys may hold characters that XML cannot.
      'encoding-type': 'url',
      'max-keys': String(input.maxKeys),
      prefix: input.prefix,
      delimiter: input.delimiter,
      ...(input.usesMarkers
        ? { marker: token ?? input.marker }
        : {
            'list-type': '2',
            'fetch-owner': 'true',
            'start-after': token === undefined ? input.marker : undefined,
            'continuation-token': token,
          }),
    },
    headers: ownerHeaders(input),
  });
  return readXml(await readText(response));
}

export const ownerHeaders = (input: {
  readonly expectedBucketOwner?: string | undefined;
  readonly requestPayer?: string | undefined;
}) => ({
  'x-amz-expected-bucket-owner': input.expectedBucketOwner,
  'x-amz-request-payer': input.requestPayer?.toLowerCase(),
});

const decode = (text: string, isEncoded: boolean): string =>
  isEncoded ? decodeURIComponent(text.replaceAll('+', ' ')) : text;

function toEntry(element: XmlElement, isEncoded: boolean): S3Entry {
  const key = decode(textAt(element, 'Key') ?? '', isEncoded);
  const modified = textAt(element, 'LastModified');
  const owner = findElement(element, 'Owner');
  return {
    key,
    isFolder: key.endsWith('/'),
    etag: textAt(element, 'ETag')?.replaceAll('"', ''),
    size: Number(textAt(element, 'Size') ?? 0),
    lastModified: modified === undefined ? undefined : new Date(modified),
    owner: owner && { id: textAt(owner, 'ID'), displayName: textAt(owner, 'DisplayName') },
    checksumAlgorithm: textAt(element, 'ChecksumAlgorithm'),
    versionId: textAt(element, 'VersionId'),
  };
}

const toFolder = (element: XmlElement, isEncoded: boolean): S3Entry => ({
  key: decode(textAt(element, 'Prefix') ?? '', isEncoded),
  isFolder: true,
  size: 0,
});
