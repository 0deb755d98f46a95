// Servers from npm that bring no types.
declare module 'dynalite' {
  import type { Server } from 'node:http';
  // biome-ignore lint/style/noDefaultExport: the package has nothing else
  export default function dynalite(options: { createTableMs?: number }): Server;
}
declare module 'kinesalite' {
  import type { Server } from 'node:http';
  // biome-ignore lint/style/noDefaultExport: the package has nothing else
  export default function kinesalite(options: { createStreamMs?: number; shardLimit?: number }): Server;
}
declare module '@20minutes/s3rver' {
  interface Options {
    port: number;
    address: string;
    silent: boolean;
    directory: string | undefined;
    configureBuckets: { name: string }[];
  }
  // biome-ignore lint/style/noDefaultExport: the package has nothing else
  export default class S3rver {
    constructor(options: Options);
    run(): Promise<unknown>;
  }
}
