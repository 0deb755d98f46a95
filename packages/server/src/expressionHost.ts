import type { Host } from '@millrace/engine';
import { isPublicHoliday } from '@millrace/plugins';
import type { LocalFiles } from './files/localFiles.ts';
import type { Secrets } from './secrets/environmentSecrets.ts';

export interface HostParts {
  readonly secrets: Secrets;
  readonly files: LocalFiles;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** Makes hosts; `mask` is told every text that came out of a secret. */
export type CreateHost = (mask?: (text: string) => void) => Host;

/** What expressions reach outside of their variables, wherever they are rendered. */
export function createHosts({ secrets, files, clock, newId }: HostParts): CreateHost {
  const base: Host = {
    now: clock,
    random: Math.random,
    id: newId,
    secret: (key) => secrets.find(key),
    read: async (path) => textOf(await files.read(path)),
    fileSize: async (path) => (await files.sizeOf(path)) ?? 0,
    fileExists: async (path) => (await files.sizeOf(path)) !== undefined,
    isPublicHoliday,
    isFileEmpty: async (path) => (await files.sizeOf(path)) === 0,
  };
  return (mask) => (mask ? { ...base, mask } : base);
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
