import type { BlobStore } from '@millrace/contract';
import { coreFamily } from '@millrace/plugin-core';
import type { Definition } from '@millrace/plugin-kit';
import { loadedFamily } from '@millrace/plugin-kit';
import { scriptsFamily } from '@millrace/plugin-scripts';
import type { Store } from '@millrace/store';
import { temporaryFolder } from '@millrace/store/suite';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { type OpenProduct, openProduct } from '../openProduct.ts';
import { openCatalogue } from '../plugins/openCatalogue.ts';
import { createProductApp } from '../startServer.ts';
import { checkAnswers } from './checkAnswers.ts';
import type { Database } from './databases.ts';
import { type FaultyStore, failedRead, faultSeed, faultyStore, keepRequestsWhole } from './faultyStore.ts';
import { LineLedger } from './lineLedger.ts';
import { aSilentLog, silentLog } from './silentLog.ts';
import { testTasks } from './testTasks.ts';

export interface TestServerOptions {
  readonly settings?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly definitions?: readonly Definition[];
  /** Where the server takes the time from; the machine unless given. */
  readonly clock?: () => number;
  /** The seed of the faults in this server's reads and commits; the seed of the whole run unless given. */
  readonly faults?: number;
  /** Changes the store that the server gets. */
  readonly wrapStore?: (store: Store) => Store;
  /** The data of another server, to work on the same database. */
  readonly databaseUrl?: string;
}

type Body = Record<string, unknown>;

interface Opened {
  readonly product: OpenProduct;
  readonly app: FastifyInstance;
}

/** A server on a real store that tests call directly. */
export class TestServer {
  #open: Opened;
  #isClosed = false;
  readonly #start: () => Promise<Opened>;

  constructor(start: () => Promise<Opened>, first: Opened) {
    this.#start = start;
    this.#open = first;
  }

  get app() {
    return this.#open.app;
  }

  get isClosed() {
    return this.#isClosed;
  }

  get product() {
    return this.#open.product;
  }

  /** Sends a request under `/api/v1` and returns status and body. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options: Partial<InjectOptions> = {},
  ) {
    const request = { ...options, method, url: `/api/v1${path}` } as InjectOptions;
    let answer = await this.app.inject(request);
    // A request may wait for a read that a server began by itself.
    while (answer.statusCode === 503 && answer.body.includes(failedRead))
      answer = await this.app.inject(request);
    const isJson = String(answer.headers['content-type'] ?? '').includes('json');
    return {
      status: answer.statusCode,
      body: (isJson ? answer.json() : answer.body) as Body,
      headers: answer.headers,
    };
  }

  async saveFlow(source: string): Promise<Body> {
    const { status, body } = await this.call('POST', '/flows', yaml(source));
    if (status !== 200) throw new Error(`The flow was refused: ${JSON.stringify(body)}`);
    return body;
  }

  /** Starts a flow with text inputs and returns the created execution. */
  async start(
    flowId: string,
    inputs: Record<string, string> = {},
    query = '',
  ): Promise<Body & { id: string }> {
    const { status, body } = await this.call(
      'POST',
      `/executions/company.team/${flowId}${query}`,
      form(inputs),
    );
    if (status !== 200) throw new Error(`The start was refused: ${JSON.stringify(body)}`);
    return body as Body & { id: string };
  }

  /** Starts a flow and returns the execution once it has ended. */
  run(flowId: string, inputs: Record<string, string> = {}) {
    return this.start(flowId, inputs, '?wait=true');
  }

  async read(executionId: string): Promise<Body> {
    return (await this.call('GET', `/executions/${executionId}`)).body;
  }

  /** Waits for a state, reading again after every stored change. */
  async waitForState(executionId: string, ...states: string[]): Promise<Body> {
    return new Promise((resolve, reject) => {
      const check = async () => {
        const execution = await this.read(executionId);
        if (!states.includes(stateOf(execution))) return;
        stop();
        resolve(execution);
      };
      const stop = this.product.store.onChange(() => void check().catch(reject));
      check().catch(reject);
    });
  }

  /** Simulates a crash: everything in memory is lost, the rows stay. A new server opens on the same data. */
  async reopen(): Promise<void> {
    await this.close(0);
    this.#open = await this.#start();
    this.#isClosed = false;
  }

  async close(graceMs = 2_000): Promise<void> {
    this.#isClosed = true;
    await this.app.close();
    await this.product.close(graceMs);
  }
}

/** A dedicated server for one test, closed and removed when the test ends. */
export async function aServer(database: Database, options: TestServerOptions = {}): Promise<TestServer> {
  const { server, remove, problems } = await startTestServer(database, options);
  onTestFinished(async () => {
    await remove();
    refuseProblems(problems);
  });
  return server;
}

/**
 * One server for all tests of a group, because opening a store takes longer than most tests. They keep apart by the
 * ids that `anId` makes.
 */
export function sharedServer(database: Database, options: TestServerOptions = {}): () => TestServer {
  let opened: Awaited<ReturnType<typeof startTestServer>> | undefined;
  beforeAll(async () => {
    opened = await startTestServer(database, options);
  });
  afterEach(() => refuseProblems(opened?.problems ?? []));
  afterAll(async () => {
    await opened?.remove();
    refuseProblems(opened?.problems ?? []);
  });
  return () => {
    if (!opened) throw new Error('The shared server is only there while tests run.');
    return opened.server;
  };
}

let lastId = 0;
/** An id that no other test of this file has. */
export const anId = (): string => `f${++lastId}`;

export async function startTestServer(database: Database, options: TestServerOptions) {
  const folder = temporaryFolder();
  const given = { url: options.databaseUrl, remove: async () => {} };
  const { url, remove: removeData } = given.url === undefined ? await database.prepare(folder.path) : given;
  const { config } = loadConfig({
    env: {},
    flags: {
      data: folder.path,
      ...(url === undefined ? {} : { database: { url } }),
      ...options.settings,
    },
  });
  const problems: string[] = [];
  const seed = options.faults ?? faultSeed;
  let faulty: FaultyStore | undefined;
  let whole: Store | undefined;
  let ledger: LineLedger | undefined;
  const start = async () => {
    // Made at each start, so that a test can add a plugin before it opens the server again.
    const definitions = options.definitions ?? [];
    const isGiven = ({ type }: Definition) => definitions.some((definition) => definition.type === type);
    const test = { name: 'test', groups: [], types: [...testTasks, ...definitions] };
    // A definition that is given takes the place of the product's.
    const own = [coreFamily, scriptsFamily].map((family) => ({
      ...family,
      types: family.types.filter((definition) => !isGiven(definition)),
    }));
    const families = [...own, test].map(loadedFamily);
    const catalogue = await openCatalogue(config.plugins, silentLog, families);
    const product = await openProduct({
      config,
      env: options.env ?? {},
      catalogue,
      log: aSilentLog(),
      // The usual cost takes a tenth of a second on purpose.
      passwordCost: 1_024,
      ...(options.clock ? { clock: options.clock } : {}),
      wrap: {
        store: (store: Store) => (options.wrapStore ?? same)(seed === undefined ? store : spoil(store)),
        blobs: same<BlobStore>,
      },
    });
    const app = await createProductApp(product, '');
    if (seed !== undefined) keepRequestsWhole(app);
    faulty?.started();
    // The test itself reads without faults.
    const seen = whole ? { ...product, store: whole } : product;
    if (seed !== undefined) ledger = new LineLedger(seen);
    checkAnswers(app, (problem) => problems.push(problem));
    return { product: seen, app };
  };
  const spoil = (store: Store) => {
    whole = store;
    faulty = faultyStore(store, seed ?? 0);
    return {
      ...faulty.store,
      close: () => {
        // A test that closes the store damages it next: nothing is left to compare.
        ledger = undefined;
        return store.close();
      },
    };
  };
  const server = new TestServer(start, await start());
  const remove = async () => {
    faulty?.stop();
    if (ledger && !server.isClosed) problems.push(...(await ledger.findViolations()));
    await server.close();
    await removeData();
    folder.remove();
  };
  return { server, remove, problems, faults: () => faulty?.counts };
}

const same = <T>(value: T): T => value;

/** Fails when a response does not match the contract: the server or the contract is wrong. */
function refuseProblems(problems: string[]): void {
  const found = problems.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
}

export const yaml = (payload: string) => ({ headers: { 'content-type': 'application/x-yaml' }, payload });

/** A multipart body with one text field per input; no body at all without inputs. */
export function form(fields: Record<string, string>): Partial<InjectOptions> {
  const entries = Object.entries(fields);
  if (entries.length === 0) return {};
  const parts = entries.map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: `${parts.join('')}--b--\r\n`,
  };
}

export const stateOf = (execution: Body): string => String((execution.state as Body | undefined)?.current);

export const statesOf = (thing: Body): string[] =>
  ((thing.state as Body).histories as Body[]).map((history) => String(history.state));

export const taskRunsOf = (execution: Body): Body[] => (execution.taskRunList ?? []) as Body[];
