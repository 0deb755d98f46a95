import { hostname } from 'node:os';
import type { SlowQuery, Store } from '@millrace/store';
import { z } from 'zod';
import type { ProcessLog } from '../processLog.ts';
import { dataOf, StoredDate } from '../storedDocument.ts';

const kind = 'instance.slowQueries';
const reportEveryMs = 60_000;
/** Reports of servers that ended stay visible this long. */
const keptForMs = 86_400_000;
const maxStatements = 20;
const maxServers = 100;
const maxStatementLength = 2_000;

const Report = z.object({
  host: z.string(),
  statements: z.array(
    z.object({
      statement: z.string(),
      count: z.number(),
      maxMs: z.number(),
      totalMs: z.number(),
      lastAt: StoredDate,
    }),
  ),
});

interface ReportsParts {
  readonly store: Store;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly serverId: string;
  /** Other servers use the same database. */
  readonly isShared: boolean;
}

/** The slowest statements of all servers: each stores its own once a minute when they changed. */
export class SlowQueryReports {
  readonly #parts: ReportsParts;
  #timer: NodeJS.Timeout | undefined;
  #reporting: Promise<void> | undefined;
  #reported = '[]';

  constructor(parts: ReportsParts) {
    this.#parts = parts;
  }

  start(): void {
    if (!this.#parts.isShared) return;
    this.#timer = setInterval(() => {
      this.#reporting = this.report().catch((error: unknown) =>
        this.#parts.log.warn('The slow statements could not be reported.', { error }),
      );
    }, reportEveryMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
  }

  async report(): Promise<void> {
    const { store, clock, serverId } = this.#parts;
    const statements = this.#own();
    const text = JSON.stringify(statements);
    if (text === this.#reported) return;
    const at = clock();
    const data = { host: hostname(), statements };
    await store.commit([
      { op: 'document.put', document: { kind, id: serverId, at, data } },
      { op: 'document.sweep', kind, before: at - keptForMs },
    ]);
    this.#reported = text;
  }

  /** The statements of all servers, the slowest first. Those of this server are current. */
  async list(): Promise<(SlowQuery & { readonly server: string; readonly host: string })[]> {
    const { store, serverId, isShared } = this.#parts;
    const own = this.#own().map((query) => ({ ...query, server: serverId, host: hostname() }));
    const documents = isShared
      ? await store.listDocuments({ kind, descending: true, limit: maxServers })
      : [];
    const others = documents
      .filter(({ id }) => id !== serverId)
      .flatMap((document) => {
        const report = dataOf(Report, document);
        return (report?.statements ?? []).map((query) => ({
          ...query,
          server: document.id,
          host: report?.host ?? '',
        }));
      });
    return [...own, ...others].sort((a, b) => b.maxMs - a.maxMs).slice(0, maxServers);
  }

  #own(): SlowQuery[] {
    return this.#parts.store
      .slowQueries()
      .slice(0, maxStatements)
      .map((query) => ({ ...query, statement: query.statement.slice(0, maxStatementLength) }));
  }
}
