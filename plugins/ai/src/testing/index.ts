import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export { type ModelRequest, ModelServer, type Step } from './modelServer.ts';

/** The reference server of the Model Context Protocol, which has a tool for every feature. */
export const mcpReferenceServer: string = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
