import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@millrace/contract';
import { parseFlow, splitSources } from '@millrace/engine';
import { isUnavailable } from '@millrace/store';
import { deleteFlow } from '../actions/deleteFlow.ts';
import { createFlow, type SaveParts, updateFlow } from '../actions/saveFlow.ts';
import { isFlowFile, isTestFile } from '../cli/client/sourceFiles.ts';
import { deleteTestSuite, fitSuite, importTestSuite } from '../flowTests/flowTests.ts';
import type { ProcessLog } from '../processLog.ts';
import { StartError } from '../startError.ts';

type Parts = SaveParts & { readonly log: ProcessLog };
interface Key {
  readonly kind: 'flow' | 'test';
  readonly namespace: string;
  readonly id: string;
}

/** Editors write a file in several steps; the folder is read when they are done. */
const settleMs = 200;

/**
 * Loads flows and their test suites (`*.test.yaml`) from a folder. The flows of each file are saved, and saved again
 * when it changes; a flow or a suite whose file is removed while the folder is watched is deleted. A file that cannot be saved is logged and changes
 * nothing.
 */
export class FlowFolder {
  readonly #folder: string;
  readonly #parts: Parts;
  /** The last text of each file and the flows saved from it. */
  readonly #known = new Map<string, { text: string; keys: readonly Key[] }>();
  /** What is no longer in any file and not deleted yet: the database may be away when a file goes. */
  readonly #removed = new Map<string, Key>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string, parts: Parts) {
    this.#folder = folder;
    this.#parts = parts;
  }

  /** Saves the flows of all files. */
  async load(): Promise<void> {
    const files = await this.#list().catch((cause: unknown) => {
      throw new StartError(`The folder of flows "${this.#folder}" cannot be read.`, { cause });
    });
    for (const file of files) await this.#read(file);
    this.#parts.log.info('Flows were read from a folder.', { folder: this.#folder, files: files.length });
  }

  /** Follows changes until `close`. */
  watch(): void {
    this.#watcher = watch(this.#folder, { recursive: true }, () => this.#wake());
    this.#watcher.on('error', (error) => this.#parts.log.error('A folder cannot be watched.', { error }));
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    clearTimeout(this.#timer);
    await this.#work;
  }

  #wake(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#work = this.#work
        .then(() => this.#sync())
        .catch((error: unknown) => {
          this.#parts.log.error('A folder of flows could not be read.', { folder: this.#folder, error });
          if (isUnavailable(error)) this.#wake();
        });
    }, settleMs);
  }

  async #sync(): Promise<void> {
    const files = await this.#list();
    const before = new Map([...this.#known].map(([file, { keys }]) => [file, keys]));
    for (const file of files) await this.#read(file);
    for (const file of this.#known.keys()) if (!files.includes(file)) this.#known.delete(file);
    const kept = new Set([...this.#known.values()].flatMap(({ keys }) => keys.map(nameOf)));
    for (const key of [...before.values()].flat()) this.#removed.set(nameOf(key), key);
    for (const [name, key] of this.#removed) {
      if (!kept.has(name)) await this.#delete(key);
      this.#removed.delete(name);
    }
  }

  async #list(): Promise<string[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    return (
      entries
        .filter((entry) => entry.isFile() && (isFlowFile(entry.name) || isTestFile(entry.name)))
        .map((entry) => join(entry.parentPath, entry.name))
        // A suite is saved after the flow that it tests.
        .sort((a, b) => Number(isTestFile(a)) - Number(isTestFile(b)) || (a < b ? -1 : 1))
    );
  }

  async #read(file: string): Promise<void> {
    const { log } = this.#parts;
    const known = this.#known.get(file);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') log.warn(`The file ${file} cannot be read: ${error.message}`);
      return undefined;
    });
    if (text === undefined || text === known?.text) return;
    try {
      const keys: Key[] = [];
      for (const source of splitSources(text))
        keys.push(isTestFile(file) ? await this.#saveTests(source) : await this.#save(source));
      this.#known.set(file, { text, keys });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn(`The file ${file} was not saved: ${error.message}`);
      if (isUnavailable(error)) {
        this.#wake();
        return;
      }
      // The flows it held before stay as they are until the file is right again.
      this.#known.set(file, { text, keys: known?.keys ?? [] });
    }
  }

  async #save(source: string): Promise<Key> {
    const { flow } = parseFlow(source, undefined);
    const key = flow && { namespace: flow.namespace, id: flow.id };
    const stored = key && (await this.#parts.store.getFlow(key.namespace, key.id));
    const saved =
      key && stored && !stored.deleted
        ? await updateFlow(key, source, this.#parts)
        : await createFlow(source, this.#parts);
    return { kind: 'flow', namespace: saved.record.namespace, id: saved.record.id };
  }

  async #saveTests(source: string): Promise<Key> {
    const { namespace, id } = fitSuite(source);
    await importTestSuite(source, this.#parts);
    return { kind: 'test', namespace, id };
  }

  async #delete(key: Key): Promise<void> {
    const { kind, namespace, id } = key;
    const deletion = kind === 'flow' ? deleteFlow(key, this.#parts) : deleteTestSuite(key, this.#parts);
    await deletion.catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'not-found')) throw error;
    });
    const thing = kind === 'flow' ? 'A flow' : 'A test suite';
    this.#parts.log.info(`${thing} was deleted because its file is gone.`, { namespace, id });
  }
}

const nameOf = ({ kind, namespace, id }: Key): string => JSON.stringify([kind, namespace, id]);
