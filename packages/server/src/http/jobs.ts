import { type Endpoint, Job, type JobResponse } from '@millrace/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ReportProgress, withProgress } from '../actions/progress.ts';
import { type InternalStorage, readText } from '../files/internalStorage.ts';
import type { ProcessLog } from '../processLog.ts';
import { problemResponse } from './problem.ts';

/*
 * Long calls as jobs (RFC 7240, `Prefer: respond-async`). A call that does not end within a second responds
 * 202 with the job's address, and continues. The record of a job is kept in internal storage, so that every
 * server on the database can read it, also after a restart. The work itself is not resumed: each item is
 * committed on its own, and a job whose server stopped is INTERRUPTED. A server that shuts down records what
 * is done and what remains. After a crash the last record is a lower bound, because items may have been
 * committed since.
 */

declare module 'fastify' {
  interface FastifyInstance {
    readonly jobs: Jobs | undefined;
  }
}

export interface JobParts {
  readonly files: InternalStorage;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: ProcessLog;
}

/** A call that ends within this time responds as usual; `Prefer: respond-async, wait=0` does not wait. */
const waitMs = 1_000;
const recordEveryMs = 1_000;
/** A running job whose record was not updated for this long has lost its server. */
const lostAfterMs = 20_000;
const keptForMs = 24 * 3_600_000;
const maxRecordBytes = 64 * 1024 * 1024;

class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

/** Only plain calls: streams, files and uploads need their connection. */
export const prefersJob = ({ replyKind, bodyKind }: Endpoint, { method, headers }: FastifyRequest): boolean =>
  method !== 'GET' &&
  (replyKind === 'json' || replyKind === 'none') &&
  bodyKind !== 'multipart' &&
  /(^|[,\s])respond-async\b/i.test(preferenceOf({ headers }));

const preferenceOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  [headers.prefer].flat().join(',');

export class Jobs {
  readonly #parts: JobParts;
  readonly #running = new Map<string, RunningJob>();
  #isStopping = false;

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  /** Starts the work and waits a moment for its end. */
  async run(work: () => Promise<JobResponse>, request: FastifyRequest): Promise<RunningJob> {
    const job = new RunningJob(this.#parts, () => this.#isStopping);
    const end = job.start(work, request);
    const isQuick = !/\bwait=0\b/.test(preferenceOf(request)) && (await endsWithin(end, waitMs));
    if (!isQuick) {
      this.#running.set(job.id, job);
      await job.record();
      void end.finally(() => this.#running.delete(job.id));
      void this.#sweep();
    }
    return job;
  }

  async find(id: string): Promise<Job | undefined> {
    const running = this.#running.get(id);
    if (running) return running.view();
    const stored = await readRecord(id, this.#parts);
    const isLost =
      stored?.state === 'RUNNING' && this.#parts.clock() - Date.parse(stored.updatedAt) > lostAfterMs;
    return isLost ? { ...stored, state: 'INTERRUPTED', atLeast: true } : stored;
  }

  /** Running jobs stop at the next item and are recorded as interrupted. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running.values()].map((job) => job.end));
  }

  async #sweep(): Promise<void> {
    const { files, clock, log } = this.#parts;
    try {
      for await (const { uri, modifiedAt } of files.walk(['.jobs']))
        if (clock() - modifiedAt > keptForMs) await files.delete(uri);
    } catch (error) {
      log.warn('Records of old jobs could not be deleted.', { error });
    }
  }
}

class RunningJob {
  readonly id: string;
  readonly #parts: JobParts;
  readonly #isStopping: () => boolean;
  readonly #startedAt: number;
  #progress: Pick<Job, 'done' | 'total' | 'remaining'> = { done: 0 };
  #state: Job['state'] = 'RUNNING';
  #response: JobResponse | undefined;
  /** Records are written one after the other, so that an older one never replaces a newer one. */
  #writing: Promise<void> = Promise.resolve();
  #isRecorded = false;
  end: Promise<void> = Promise.resolve();

  constructor(parts: JobParts, isStopping: () => boolean) {
    this.id = parts.newId();
    this.#parts = parts;
    this.#isStopping = isStopping;
    this.#startedAt = parts.clock();
  }

  start(work: () => Promise<JobResponse>, request: FastifyRequest): Promise<void> {
    this.end = this.#run(work, request);
    return this.end;
  }

  async #run(work: () => Promise<JobResponse>, request: FastifyRequest): Promise<void> {
    const timer = setInterval(() => void (this.#isRecorded && this.record()), recordEveryMs);
    const report: ReportProgress = (done, total, remaining) => {
      this.#progress = { done, total };
      if (!this.#isStopping()) return;
      if (remaining) this.#progress = { done, total, remaining: [...remaining()] };
      throw new JobStopped('The server stops.');
    };
    try {
      this.#response = await withProgress(report, work);
      this.#state = 'ENDED';
    } catch (error) {
      this.#state = error instanceof JobStopped ? 'INTERRUPTED' : 'ENDED';
      if (this.#state === 'ENDED') {
        const { status, body } = problemResponse(error, request, this.#parts.log);
        this.#response = { status, body };
      }
    } finally {
      clearInterval(timer);
      if (this.#isRecorded) await this.record();
    }
  }

  view(): Job {
    return {
      id: this.id,
      state: this.#state,
      startedAt: new Date(this.#startedAt).toISOString(),
      updatedAt: new Date(this.#parts.clock()).toISOString(),
      ...this.#progress,
      ...(this.#response && { response: this.#response }),
    };
  }

  record(): Promise<void> {
    const { files, log } = this.#parts;
    this.#isRecorded = true;
    this.#writing = this.#writing.then(async () => {
      try {
        await files.put(segmentsOf(this.id), JSON.stringify(this.view()));
      } catch (error) {
        log.warn('The record of a job could not be written.', { jobId: this.id, error });
      }
    });
    return this.#writing;
  }

  /** The response of the call itself when the work has ended, otherwise the address of the job. */
  sendTo(reply: FastifyReply): FastifyReply {
    if (this.#response && !this.#isRecorded) {
      const { status, body } = this.#response;
      if (body === undefined || typeof body === 'string') return reply.code(status).send(body);
      return reply.code(status).type('application/json').send(JSON.stringify(body));
    }
    return reply
      .code(202)
      .header('preference-applied', 'respond-async')
      .header('location', `/api/v1/jobs/${this.id}`)
      .send(this.view());
  }
}

const segmentsOf = (id: string) => ['.jobs', `${id}.json`];

async function readRecord(id: string, { files }: JobParts): Promise<Job | undefined> {
  const uri = files.uriOf(segmentsOf(id));
  if ((await files.sizeOf(uri)) === undefined) return undefined;
  const text = await readText(await files.read(uri), maxRecordBytes);
  return Job.safeParse(JSON.parse(text)).data;
}

function endsWithin(end: Promise<void>, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), delayMs);
    void end.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
