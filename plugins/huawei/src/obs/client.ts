import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { AwsClient, type Credentials, type Dialect, S3, services } from '@millrace/plugin-aws/compatible';
import { mapOf, type OutboundResponse, type TaskContext, text } from '@millrace/plugin-kit';
import { may, type Property, preset } from '@millrace/plugin-saas/rest';
import {
  addressOf,
  type Connection,
  connection,
  defaultSuffix,
  endpointOverride,
  keysOf,
} from '../client/connection.ts';

export type AuthType = 'OBS' | 'V2' | 'V4';

export const obsProperties = {
  ...connection,
  endpointOverride,
  pathStyleAccess: may.flag(
    'Address buckets in the path instead of the host name; done by itself for hosts without names.',
  ),
  authType: may.choice(
    ['OBS', 'V2', 'V4'],
    'How requests are signed: as OBS does it (the default), or as version 2 or 4 of AWS.',
  ),
  endpointSuffix: preset.text(defaultSuffix, 'The domain of OBS.'),
};

export const metadata: Property<Record<string, string> | undefined> = {
  schema: () => mapOf(text()).optional().describe('Metadata that is kept with the object.'),
};

export interface ObsInput extends Connection {
  readonly endpointOverride?: string | undefined;
  readonly pathStyleAccess?: boolean | undefined;
  readonly authType?: AuthType | undefined;
  readonly endpointSuffix?: string | undefined;
}

/** OBS speaks the protocol of S3, with its own names of headers and its own signature unless told otherwise. */
export function openObs(context: TaskContext, input: ObsInput): S3 {
  const endpoint = addressOf('obs', input);
  const keys = keysOf(context, input);
  const { hostname, host } = new URL(endpoint);
  const authType = input.authType ?? 'OBS';
  const client = new AwsClient({
    context,
    service: { ...services.s3, title: 'OBS' },
    region: input.region ?? 'region',
    endpoint,
    credentials: async (): Promise<Credentials> => {
      const { accessKeyId, secretAccessKey, securityToken } = await keys();
      return { accessKeyId, secretAccessKey, sessionToken: securityToken };
    },
    ...(authType !== 'V4' && { dialect: dialectOf(authType, host) }),
  });
  const hasNoNames = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost';
  return new S3(client, { usesPath: input.pathStyleAccess ?? hasNoNames, isAws: false });
}

const dialects = {
  OBS: { scheme: 'OBS', prefix: 'x-obs-' },
  V2: { scheme: 'AWS', prefix: 'x-amz-' },
} as const;

/** The parts of a query that the signature covers. */
const signedQuery = new Set([
  'delete',
  'location',
  'partNumber',
  'uploadId',
  'uploads',
  'versionId',
  'versions',
]);

function dialectOf(authType: 'OBS' | 'V2', baseHost: string): Dialect {
  const { scheme, prefix } = dialects[authType];
  const rename = (name: string, from: string, to: string) =>
    name.startsWith(from) ? `${to}${name.slice(from.length)}` : name;
  return {
    sign({ method, url, headers }, { accessKeyId, secretAccessKey, sessionToken }) {
      const named = Object.entries(headers).map(([name, value]) => [rename(name, 'x-amz-', prefix), value]);
      const all: Record<string, string> = {
        ...Object.fromEntries(named),
        [`${prefix}date`]: new Date().toUTCString(),
        ...(sessionToken && { [`${prefix}security-token`]: sessionToken }),
      };
      const content = [
        method,
        all['content-md5'] ?? '',
        all['content-type'] ?? '',
        // The date is among the headers below.
        '',
        ...Object.keys(all)
          .filter((name) => name.startsWith(prefix))
          .sort()
          .map((name) => `${name}:${all[name]?.trim()}`),
        resourceOf(new URL(url), baseHost),
      ].join('\n');
      const signature = createHmac('sha1', secretAccessKey).update(content).digest('base64');
      return { ...all, authorization: `${scheme} ${accessKeyId}:${signature}` };
    },
    readHeaders: (headers): OutboundResponse['headers'] =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [rename(name, prefix, 'x-amz-'), value]),
      ),
  };
}

/** `/bucket/key`, wherever the address has the bucket, with the parts of the query that matter. */
function resourceOf({ host, pathname, searchParams }: URL, baseHost: string): string {
  const bucket = host.endsWith(`.${baseHost}`) ? `/${host.slice(0, -baseHost.length - 1)}` : '';
  const isBucketOnly = bucket === '' && /^\/[^/]+$/.test(pathname);
  const parts = [...searchParams]
    .filter(([name]) => signedQuery.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`));
  return `${bucket}${pathname}${isBucketOnly ? '/' : ''}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}

const classes = {
  STANDARD: 'STANDARD',
  WARM: 'STANDARD_IA',
  COLD: 'GLACIER',
  DEEP_ARCHIVE: 'DEEP_ARCHIVE',
  INTELLIGENT_TIERING: 'INTELLIGENT_TIERING',
} as const;

export const storageClass = may.choice(
  ['STANDARD', 'WARM', 'COLD', 'DEEP_ARCHIVE', 'INTELLIGENT_TIERING'],
  'The storage class.',
);

/** With the signatures of AWS the classes have the names of AWS too. */
export const storageClassOf = (name: keyof typeof classes | undefined, authType: AuthType = 'OBS') =>
  name === undefined || authType === 'OBS' ? name : classes[name];
