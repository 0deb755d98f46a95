import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ name: string, install: (folder: string) => Promise<Record<string, string>> }} Tool
 * @typedef {{ tool: string, reason: string }} Missing
 */

/** One file per tool, named after the tool. @param {string} folder @returns {Promise<Tool[]>} */
export async function listTools(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.mjs')) : [];
  return Promise.all(
    names.sort().map(async (file) => {
      const { install } = await import(pathToFileURL(join(folder, file)).href);
      return { name: file.slice(0, -'.mjs'.length), install };
    }),
  );
}

/**
 * The tools whose name one of the test files mentions.
 * @param {readonly Tool[]} tools
 * @param {readonly string[]} texts
 */
export const toolsFor = (tools, texts) =>
  tools.filter(({ name }) => texts.some((text) => text.toLowerCase().includes(name.toLowerCase())));

/**
 * Installs tools one after the other and sets the variables that the tests read. A tool that cannot be installed is
 * returned with its reason, because the other tests still run.
 * @param {readonly Tool[]} tools
 * @param {(name: string) => string} folderOf kept between runs, so that an install can find what it downloaded before
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Missing[]>}
 */
export async function installTools(tools, folderOf, env = process.env) {
  /** @type {Missing[]} */
  const missing = [];
  for (const { name, install } of tools) {
    console.log(`Installing ${name} …`);
    const folder = folderOf(name);
    mkdirSync(folder, { recursive: true });
    try {
      Object.assign(env, await install(folder));
    } catch (error) {
      missing.push({ tool: name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return missing;
}
