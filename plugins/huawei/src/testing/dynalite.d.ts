// A server from npm that brings no types.
declare module 'dynalite' {
  import type { Server } from 'node:http';
  // biome-ignore lint/style/noDefaultExport: the package has nothing else
  export default function dynalite(options: { createTableMs?: number }): Server;
}
