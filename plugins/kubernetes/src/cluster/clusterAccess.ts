import type { ConnectionOptions } from 'node:tls';

/** How to reach an API server, and as which user. */
export interface Cluster {
  readonly url: URL;
  readonly tls: Pick<
    ConnectionOptions,
    'ca' | 'cert' | 'key' | 'passphrase' | 'pfx' | 'servername' | 'rejectUnauthorized' | 'checkServerIdentity'
  >;
  readonly authorization?: string;
  /** The namespace of requests that name none. */
  readonly namespace?: string;
}
