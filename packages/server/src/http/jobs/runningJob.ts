import { setTimeout as delay } from 'node:timers/promises';
import type { Job, JobResponse } from '@millrace/contract';
import { Conflict, type Op, type Store } from '@millrace/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ActionJob, isTemporary, runInJob } from '../../actions/longAction.ts';
import type { ProcessLog } from '../../processLog.ts';
import { problemResponse } from '../problem.ts';
import { type JobCall, type JobRecord, jobKinds, presentJob, putCall, toDocument } from './jobRecord.ts';

export interface JobParts {
  readonly store: Store;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: ProcessLog;
}

export interface JobOptions {
  readonly id: string;
  /** The server that runs the job. */
  readonly server: string;
  readonly isStopping: () => boolean;
  /** Describes the call, for the process that resumes it. */
  readonly describe: () => Omit<JobCall, 'items'>;
  /** The stored job that is resumed; absent for a new one. */
  readonly claimed?: { readonly record: JobRecord; readonly version: number; readonly call: JobCall };
}

const recordEveryMs = 1_000;
/** A job whose record was not updated for this long has lost its server. */
export const lostAfterMs = 20_000;
/** A server that could not write the record for this long changes nothing more until it can. */
const unconfirmedMs = lostAfterMs / 2;
const retryMs = 500;
const endTries = 4;

/** The job stops here; the server that claims it next continues. */
class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

/** One job in the process that runs it. Its record is stored only when the call does not end at once. */
export class RunningJob implements ActionJob {
  readonly id: string;
  readonly #parts: JobParts;
  readonly #options: JobOptions;
  #record: JobRecord;
  #items: readonly unknown[] | undefined;
  /** 0 until the record is stored. */
  #version: number;
  #isRecorded: boolean;
  #isCallStored: boolean;
  #isEndStored = false;
  /** Another server has claimed the job. */
  #isLost = false;
  #confirmedAt: number;
  /** Records are written one after the other, so that an older one never replaces a newer one. */
  #writing: Promise<void> = Promise.resolve();
  end: Promise<void> = Promise.resolve();

  constructor(parts: JobParts, options: JobOptions) {
    const { id, server, claimed } = options;
    const now = parts.clock();
    this.id = id;
    this.#parts = parts;
    this.#options = options;
    this.#record = claimed?.record ?? {
      state: 'RUNNING',
      startedAt: now,
      updatedAt: now,
      done: 0,
      count: 0,
      server,
      losses: 0,
    };
    this.#items = claimed?.call.items;
    this.#version = claimed?.version ?? 0;
    this.#isRecorded = claimed !== undefined;
    this.#isCallStored = claimed !== undefined;
    this.#confirmedAt = now;
  }

  get left(): ActionJob['left'] {
    const { claimed } = this.#options;
    return claimed && { items: claimed.call.items, done: claimed.record.done, count: claimed.record.count };
  }

  start(work: () => Promise<JobResponse>, request: FastifyRequest): Promise<void> {
    this.end = this.#run(work, request);
    return this.end;
  }

  async begin(items: readonly unknown[]): Promise<void> {
    this.#items = items;
    this.#record = { ...this.#record, total: items.length };
    if (this.#isRecorded) await this.#confirm();
  }

  async reach(done: number, count: number): Promise<void> {
    const { done: before, losses } = this.#record;
    this.#record = { ...this.#record, done, count, losses: done > before ? 0 : losses };
    if (this.#isRecorded && this.#parts.clock() - this.#confirmedAt > unconfirmedMs) await this.#confirm();
    this.#continueOrStop();
  }

  /** A job has ended once its end is stored. */
  view(): Job {
    const { response: _, ...open } = this.#record;
    const record = this.#isEndStored ? this.#record : { ...open, state: 'RUNNING' as const };
    return presentJob(this.id, { ...record, updatedAt: this.#parts.clock() });
  }

  /** Stores the record; a failure is logged, and the next record follows soon. */
  record(): Promise<void> {
    this.#isRecorded = true;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** The response of the call itself when the work has ended, otherwise the address of the job. */
  sendTo(reply: FastifyReply): FastifyReply {
    const { response } = this.#record;
    if (response && !this.#isRecorded) {
      const { status, body } = response;
      if (body === undefined || typeof body === 'string') return reply.code(status).send(body);
      return reply.code(status).type('application/json').send(JSON.stringify(body));
    }
    return reply
      .code(202)
      .header('preference-applied', 'respond-async')
      .header('location', `/api/v1/jobs/${this.id}`)
      .send(this.view());
  }

  async #run(work: () => Promise<JobResponse>, request: FastifyRequest): Promise<void> {
    const timer = setInterval(() => void (this.#isRecorded && this.record()), recordEveryMs);
    try {
      const response = await runInJob(this, work);
      this.#record = { ...this.#record, state: 'ENDED', response };
    } catch (error) {
      this.#endWith(error, request);
    } finally {
      clearInterval(timer);
      if (this.#isRecorded) await this.#recordEnd();
    }
  }

  /** Without this record the job is resumed after its last one; a call that cannot be resumed loses its result. */
  async #recordEnd(): Promise<void> {
    for (let tries = 0; tries < endTries; tries++) {
      if (tries > 0) await delay(retryMs);
      const before = this.#version;
      await this.record();
      if (this.#isLost || this.#version !== before) return;
    }
  }

  #endWith(error: unknown, request: FastifyRequest): void {
    const canResume = this.#isRecorded && this.#items !== undefined;
    const mustWait = error instanceof JobStopped || isTemporary(error);
    if (mustWait && canResume) {
      // Released: the next server continues at the recorded item.
      const { server: _, ...released } = this.#record;
      this.#record = released;
    } else if (error instanceof JobStopped) {
      this.#record = { ...this.#record, state: 'INTERRUPTED' };
    } else {
      const { status, body } = problemResponse(error, request, this.#parts.log);
      this.#record = { ...this.#record, state: 'ENDED', response: { status, body } };
    }
  }

  /** Waits until the record is stored: while it is not, another server may have claimed the job. */
  async #confirm(): Promise<void> {
    for (const startedAt = this.#parts.clock(); ; ) {
      await this.record();
      if (this.#confirmedAt >= startedAt) return;
      this.#continueOrStop();
      await delay(retryMs);
    }
  }

  #continueOrStop(): void {
    if (this.#isLost) throw new JobStopped('Another server has claimed the job.');
    if (this.#options.isStopping()) throw new JobStopped('The server stops.');
  }

  async #write(): Promise<void> {
    const { store, clock, log } = this.#parts;
    if (this.#isLost) return;
    const now = clock();
    const items = this.#items;
    const record = { ...this.#record, updatedAt: now };
    const isOpen = record.state === 'RUNNING' && items !== undefined;
    const unit: Op[] = [
      {
        op: 'document.put',
        document: toDocument(this.id, record, isOpen),
        expectVersion: this.#version,
      },
    ];
    const storesCall = isOpen && !this.#isCallStored;
    if (storesCall) unit.push(putCall(this.id, { ...this.#options.describe(), items: [...items] }, now));
    if (record.state === 'ENDED') unit.push({ op: 'document.delete', kind: jobKinds.call, id: this.id });
    try {
      await store.commit(unit);
      this.#version++;
      this.#confirmedAt = now;
      this.#isEndStored = record.state !== 'RUNNING';
      if (storesCall) this.#isCallStored = true;
    } catch (error) {
      if (error instanceof Conflict) await this.#settleConflict(error);
      else log.warn('The record of a job could not be written.', { jobId: this.id, error });
    }
  }

  /** An earlier write whose response was lost causes a conflict too; its record names this server. */
  async #settleConflict(conflict: Conflict): Promise<void> {
    const { store, log } = this.#parts;
    try {
      const stored = await store.getDocument(jobKinds.job, this.id);
      const record = stored?.data as Partial<JobRecord> | undefined; // Only compared.
      if (stored && record?.server === this.#options.server && stored.version > this.#version) {
        this.#version = stored.version;
        await this.#write();
      } else {
        this.#isLost = true;
        log.warn('Another server has claimed a job; it continues there.', { jobId: this.id });
      }
    } catch (error) {
      log.warn('The record of a job could not be read.', { jobId: this.id, error, conflict });
    }
  }
}
