import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRoot } from '../scripts/setup/root.mjs';
import { findFreePort } from './product/freePort.ts';
import { launchProduct, type Product, runProduct } from './product/launchProduct.ts';

let folder = '';
let product: Product | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-'));
});
afterEach(async () => {
  await product?.stop();
  product = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the product where it cannot start and returns its output. */
async function runInVain(given: {
  data?: string;
  port?: number;
}): Promise<{ code: number | null; words: string }> {
  const port = given.port ?? (await findFreePort());
  const { exited, output } = runProduct([
    ...['--data', given.data ?? join(folder, 'other')],
    ...['--port', String(port), '--management-port', String(await findFreePort())],
  ]);
  const { code } = await exited;
  return { code, words: output().trim() };
}

describe('the start', () => {
  it('says where it listens, which version it is and how to stop it', async () => {
    product = await launchProduct({ data: join(folder, 'data') });
    expect(product.output()).toContain(product.url);
    expect(product.output()).toMatch(/\d+\.\d+\.\d+/);
    expect(product.output()).toMatch(/Ctrl.C/);
  });

  it('keeps what was compiled for the next start, and does without it when it is broken', async () => {
    const compiled = inRoot('dist', 'server', '.compiled');
    const files = () =>
      readdirSync(compiled, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    await (await launchProduct({ data: join(folder, 'data') })).stop();
    expect(files().length).toBeGreaterThan(5);
    for (const file of files()) truncateSync(file, 100);
    await (await launchProduct({ data: join(folder, 'data') })).stop();
    expect(files().filter((file) => statSync(file).size > 100).length).toBeGreaterThan(5);
  });

  it('ends cleanly when asked to stop', async () => {
    const running = await launchProduct({ data: join(folder, 'data') });
    expect(await running.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('loads no plugin family before a flow uses one', async () => {
    const list = join(folder, 'list.cjs');
    writeFileSync(list, "process.on('exit', () => console.log(Object.keys(require.cache).join(' ')));");
    const command = [process.execPath, '--require', list, inRoot('dist', 'server', 'millrace.js')];
    const running = await launchProduct({ data: join(folder, 'data'), command });
    await running.stop();
    expect(running.output()).toContain('startServer');
    expect(running.output()).not.toContain('family-');
  });

  it('refuses a port that is in use, in one sentence', async () => {
    product = await launchProduct({ data: join(folder, 'data') });
    const { code, words } = await runInVain({ port: product.port });
    expect(code).not.toBe(0);
    expect(words).toContain(String(product.port));
    expect(words.split('\n')).toHaveLength(1);
  });

  it('refuses a data folder that another process uses, in one sentence', async () => {
    product = await launchProduct({ data: join(folder, 'data') });
    const { code, words } = await runInVain({ data: product.data });
    expect(code).not.toBe(0);
    expect(words).toContain(product.data);
    expect(words.split('\n')).toHaveLength(1);
  });

  it('refuses a data folder that cannot be made, in one sentence', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, words } = await runInVain({ data: join(folder, 'file', 'data') });
    expect(code).not.toBe(0);
    expect(words).toContain(join(folder, 'file'));
    expect(words.split('\n')).toHaveLength(1);
  });

  // Root may write everywhere.
  it.runIf(process.getuid?.() !== 0)(
    'refuses a data folder that it may not write, in one sentence',
    async () => {
      chmodSync(folder, 0o500);
      const { code, words } = await runInVain({ data: folder });
      chmodSync(folder, 0o700);
      expect(code).not.toBe(0);
      expect(words).toContain(folder);
      expect(words.split('\n')).toHaveLength(1);
    },
  );
});
