import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inRoot } from '../setup/root.mjs';
import { installTools, listTools, toolsFor } from './liveTools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'millrace-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = { name: 'found', install: async (at: string) => ({ MILLRACE_TEST_FOUND: `${at}/bin` }) };
const broken = { name: 'broken', install: () => Promise.reject(new Error('No network.')) };

test('a tool that cannot be installed is listed with its reason, and the others are set up', async () => {
  const env: NodeJS.ProcessEnv = {};
  const missing = await installTools([broken, found], (name) => join(folder, name), env);
  expect(missing).toEqual([{ tool: 'broken', reason: 'No network.' }]);
  expect(env).toEqual({ MILLRACE_TEST_FOUND: join(folder, 'found/bin') });
});

test('only tools that a test mentions are installed', () => {
  expect(toolsFor([found, broken], ['const url = process.env.MILLRACE_TEST_FOUND;'])).toEqual([found]);
});

test('every tool of the repository exports install', async () => {
  const tools = await listTools(inRoot('scripts/connectors'));
  expect(tools.filter(({ install }) => typeof install !== 'function')).toEqual([]);
});
