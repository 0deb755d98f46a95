export type BlobConfig =
  | { readonly kind: 'local'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Config);

export interface S3Config {
  /** The service's URL; defaults to AWS in the region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Prepended to every key, so that a bucket can be shared. */
  readonly prefix?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}
