import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { splitSources } from '@millrace/engine';
import { CommandFailure } from '../command.ts';

/** One document of a file of flows. */
export interface FlowSource {
  /** Where it came from, for messages. */
  readonly origin: string;
  readonly file: string;
  /** The line of the file that the text begins at. */
  readonly firstLine: number;
  readonly text: string;
}

/**
 * The flows in files, in folders and their folders, or on standard input (`-`). In folders, files of tests
 * (`*.test.yaml`) are left out.
 */
export async function readFlowSources(paths: readonly string[]): Promise<FlowSource[]> {
  return readSources(paths, isFlowFile);
}

/** The test suites in files and folders; in folders, only files named `*.test.yml` or `*.test.yaml`. */
export async function readTestSources(paths: readonly string[]): Promise<FlowSource[]> {
  return readSources(paths, isTestFile);
}

/** The flows and the test suites in files and folders. A file that is named alone is read by its name. */
export async function readFlowsAndTests(
  paths: readonly string[],
): Promise<{ flows: FlowSource[]; tests: FlowSource[] }> {
  const files = (await Promise.all(paths.map((path) => listFiles(path, isYamlFile)))).flat();
  return {
    flows: await readFiles(files.filter((file) => !isTestFile(file))),
    tests: await readFiles(files.filter(isTestFile)),
  };
}

async function readSources(
  paths: readonly string[],
  isWanted: (name: string) => boolean,
): Promise<FlowSource[]> {
  return await readFiles((await Promise.all(paths.map((path) => listFiles(path, isWanted)))).flat());
}

async function readFiles(files: readonly string[]): Promise<FlowSource[]> {
  const sources = await Promise.all(
    files.map(async (file) => {
      const whole = await readText(file);
      const texts = splitSources(whole);
      let from = 0;
      return texts.map((text, index) => {
        const start = whole.indexOf(text, from);
        from = start + text.length;
        return {
          origin: texts.length === 1 ? file : `${file} (${index + 1})`,
          file,
          firstLine: whole.slice(0, start).split('\n').length,
          text,
        };
      });
    }),
  );
  return sources.flat();
}

export const isTestFile = (name: string): boolean => /\.test\.ya?ml$/i.test(name);
const isYamlFile = (name: string): boolean => /\.ya?ml$/i.test(name);
export const isFlowFile = (name: string): boolean => isYamlFile(name) && !isTestFile(name);

async function listFiles(path: string, isWanted: (name: string) => boolean): Promise<string[]> {
  if (path === '-') return [path];
  const about = await stat(path).catch((cause: unknown) => {
    throw new CommandFailure(`"${path}" cannot be read${codeOf(cause)}.`, { cause });
  });
  if (!about.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && isWanted(entry.name));
  if (found.length === 0) {
    const isOnlyTests = isWanted(testName) && !isWanted('a.yml');
    const kind = isOnlyTests ? '.test.yml or .test.yaml' : '.yml or .yaml';
    throw new CommandFailure(`The folder "${path}" holds no ${kind} file.`);
  }
  return found.map((entry) => join(entry.parentPath, entry.name)).sort();
}

const testName = 'a.test.yml';

async function readText(file: string): Promise<string> {
  if (file !== '-') return readFile(file, 'utf8');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
