import { AppError, type Endpoint, type Job, type JobResponse } from '@millrace/contract';
import { Conflict, type StoredDocument } from '@millrace/store';
import type { FastifyRequest } from 'fastify';
import type { Activity } from '../../activity.ts';
import type { Auth } from '../../auth/auth.ts';
import type { Membership } from '../../cluster/membership.ts';
import { callOf, type JobCall, jobKinds, openParent, presentJob, recordOf, toDocument } from './jobRecord.ts';
import { type JobParts, lostAfterMs, RunningJob } from './runningJob.ts';

/*
 * Long calls as jobs (RFC 7240, `Prefer: respond-async`). A call that does not end within a second responds
 * 202 with the job's address, and continues. Its record is a document that every server on the database can
 * read. An action on many items survives its server: the call and its items are stored with the record, and a
 * server claims the job under the version of the record and continues after the last recorded item. Items
 * after it are checked first, so that none is changed twice. Other calls end as INTERRUPTED with their server.
 */

declare module 'fastify' {
  interface FastifyInstance {
    readonly jobs: Jobs | undefined;
  }
}

export interface JobsParts extends JobParts {
  readonly activity: Pick<Activity, 'isQuiet'>;
  readonly auth: Pick<Auth, 'refusalOf'>;
  readonly membership?: Membership;
}

/** Runs a stored call again with its checked parts. */
export type RunCall = (request: FastifyRequest) => Promise<JobResponse>;

/** A call that ends within this time responds as usual; `Prefer: respond-async, wait=0` does not wait. */
const waitMs = 1_000;
const resumeEveryMs = 2_000;
/** A server that is alone leaves out all but one of this number of reads. */
const aloneEvery = 15;
const resumedAtOnce = 20;
const keptForMs = 24 * 3_600_000;
const sweepEveryMs = 600_000;
/** A job that took this number of servers down without any progress is not resumed again. */
const maxLosses = 5;

/** Only plain calls: streams, files and uploads need their connection. */
export const prefersJob = ({ replyKind, bodyKind }: Endpoint, { method, headers }: FastifyRequest): boolean =>
  method !== 'GET' &&
  (replyKind === 'json' || replyKind === 'none') &&
  bodyKind !== 'multipart' &&
  /(^|[,\s])respond-async\b/i.test(preferenceOf({ headers }));

const preferenceOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  [headers.prefer].flat().join(',');

export class Jobs {
  readonly #parts: JobsParts;
  readonly #calls = new Map<string, { readonly endpoint: Endpoint; readonly run: RunCall }>();
  readonly #running = new Map<string, RunningJob>();
  readonly #server: string;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #sweptAt = 0;
  #isStopping = false;
  #isTroubled = false;
  /** The last read found no lost job. */
  #isSettled = false;
  #ticks = 0;

  constructor(parts: JobsParts) {
    this.#parts = parts;
    this.#server = parts.membership?.id ?? parts.newId();
  }

  /** Makes a call known, so that a job of an earlier process can run it. */
  register(endpoint: Endpoint, run: RunCall): void {
    this.#calls.set(nameOf(endpoint), { endpoint, run });
  }

  /** Resumes jobs whose server has stopped, now and from now on. */
  start(): void {
    if (this.#isStopping || this.#timer) return;
    this.#timer = setInterval(() => {
      if (this.#mayFindLost()) void this.resumeStopped();
    }, resumeEveryMs);
    this.#timer.unref();
    void this.resumeStopped();
  }

  /** Claims the jobs that no server runs. */
  resumeStopped(): Promise<void> {
    this.#round ??= this.#resumeOpen().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Starts the work and waits a moment for its end. */
  async run(
    work: () => Promise<JobResponse>,
    request: FastifyRequest,
    endpoint: Endpoint,
  ): Promise<RunningJob> {
    const job = new RunningJob(this.#parts, {
      id: this.#parts.newId(),
      server: this.#server,
      isStopping: () => this.#isStopping,
      describe: () => describeCall(request, endpoint),
    });
    const end = job.start(work, request);
    const isQuick = !/\bwait=0\b/.test(preferenceOf(request)) && (await endsWithin(end, waitMs));
    if (!isQuick) {
      this.#track(job);
      await job.record();
    }
    return job;
  }

  async find(id: string): Promise<Job | undefined> {
    const running = this.#running.get(id);
    if (running) return running.view();
    const stored = await this.#parts.store.getDocument(jobKinds.job, id);
    const record = stored && recordOf(stored);
    if (!record) return undefined;
    const isInterrupted = record.state === 'RUNNING' && stored.parent !== openParent && this.#isLost(stored);
    if (!isInterrupted) return presentJob(id, record);
    return { ...presentJob(id, record), state: 'INTERRUPTED', atLeast: true };
  }

  /** Running jobs stop at the next item, and the next server continues there. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#round;
    await Promise.all([...this.#running.values()].map((job) => job.end));
  }

  #track(job: RunningJob): void {
    this.#running.set(job.id, job);
    void job.end.finally(() => this.#running.delete(job.id));
  }

  async #resumeOpen(): Promise<void> {
    const { store, activity, log } = this.#parts;
    if (activity.isQuiet) return;
    try {
      await this.#sweep();
      const open = await store.listDocuments({
        kind: jobKinds.job,
        parent: openParent,
        limit: resumedAtOnce,
      });
      const lost = open.filter((document) => this.#isLost(document));
      for (const document of lost) if (!this.#isStopping) await this.#resume(document);
      this.#isSettled = lost.length === 0;
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled && !this.#isStopping) log.warn('Stopped jobs could not be read.', { error });
      this.#isTroubled = true;
      this.#isSettled = false;
    }
  }

  /** Other servers can stop at any time. A server that is alone runs its own jobs, once those left behind are resumed. */
  #mayFindLost(): boolean {
    this.#ticks += 1;
    const isAlone = this.#parts.membership?.isAlone ?? true;
    return !isAlone || !this.#isSettled || this.#ticks % aloneEvery === 0;
  }

  /** Whether no server runs the job. A single server knows its own jobs; the others write their records. */
  #isLost(document: StoredDocument): boolean {
    const { clock, store, membership } = this.#parts;
    const record = recordOf(document);
    if (!record || this.#running.has(document.id)) return false;
    const { server, updatedAt } = record;
    if (server === undefined || server === this.#server || !store.cluster) return true;
    return clock() - updatedAt > lostAfterMs || (membership?.goneIds.includes(server) ?? false);
  }

  async #resume(document: StoredDocument): Promise<void> {
    const { store, clock, log } = this.#parts;
    const { id, version } = document;
    const stored = recordOf(document);
    const call = callOf(await store.getDocument(jobKinds.call, id));
    const known = call && this.#calls.get(nameOf(call));
    // A call that this release does not have is left to a server that has it.
    if (!stored || !known) return;
    const losses = stored.losses + (stored.server === undefined ? 0 : 1);
    const isGivenUp = losses > maxLosses;
    const record = {
      ...stored,
      ...(isGivenUp ? { state: 'INTERRUPTED' as const } : {}),
      updatedAt: clock(),
      server: this.#server,
      losses,
    };
    try {
      const claim = toDocument(id, record, !isGivenUp);
      await store.commit([{ op: 'document.put', document: claim, expectVersion: version }]);
    } catch (error) {
      // Another server was first.
      if (error instanceof Conflict) return;
      throw error;
    }
    if (isGivenUp) {
      log.error('A job stopped its servers several times and is not resumed.', { jobId: id });
      return;
    }
    log.info('A job continues after its server stopped.', { jobId: id, done: record.done });
    const job = new RunningJob(this.#parts, {
      id,
      server: this.#server,
      isStopping: () => this.#isStopping,
      describe: () => call,
      claimed: { record, version: version + 1, call },
    });
    const request = requestOf(id, call, known.endpoint);
    void job.start(() => this.#continue(known.run, request, call), request);
    this.#track(job);
  }

  /** The caller may have lost access since the job began; the items that are left stay as they are. */
  async #continue(run: RunCall, request: FastifyRequest, { caller }: JobCall): Promise<JobResponse> {
    const refusal = await this.#parts.auth.refusalOf(caller);
    if (refusal !== undefined)
      throw new AppError('unauthorized', `${refusal}, so the rest of the job was not done`);
    return run(request);
  }

  async #sweep(): Promise<void> {
    const { store, clock } = this.#parts;
    if (clock() - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = clock();
    const before = this.#sweptAt - keptForMs;
    await store.commit([
      { op: 'document.sweep', kind: jobKinds.job, before },
      // The call of a running job keeps its first date.
      { op: 'document.sweep', kind: jobKinds.call, before: before - 7 * keptForMs },
    ]);
  }
}

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

function describeCall(request: FastifyRequest, { method, path }: Endpoint): Omit<JobCall, 'items'> {
  const { params, query, body, originalUrl, user, headers } = request;
  return {
    method,
    path,
    params,
    query,
    body,
    url: originalUrl,
    caller: {
      ...(user && { username: user.username }),
      ...(user?.token !== undefined && { token: user.token, tokenId: user.tokenId }),
      isWeb: headers['sec-fetch-mode'] !== undefined,
    },
  };
}

/** The request of a stored call: the parts that handlers of jobs read. */
function requestOf(id: string, call: JobCall, endpoint: Endpoint): FastifyRequest {
  const { method, url, params, query, body, caller } = call;
  return {
    id,
    method,
    url,
    originalUrl: url,
    params,
    query,
    body,
    headers: caller.isWeb ? { 'sec-fetch-mode': 'cors' } : {},
    user: caller.username === undefined ? undefined : caller,
    routeOptions: { config: { endpoint } },
  } as unknown as FastifyRequest; // The rest belongs to a connection.
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
