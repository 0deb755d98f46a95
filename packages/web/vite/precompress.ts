import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|mjs|css|svg|json|ttf|wasm)$/;
const smallestWorthIt = 1024;

/** Writes `.gz` and `.br` beside every hashed asset, so that the server never compresses on the way out. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    // Not `closeBundle`: that is called after a failed build too, and would hide why it failed.
    writeBundle: async () => {
      const assets = join(outDir, 'assets');
      for (const name of await readdir(assets))
        if (compressible.test(name)) await compress(join(assets, name));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < smallestWorthIt) return;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [gz, br] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, options),
  ]);
  await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
}
