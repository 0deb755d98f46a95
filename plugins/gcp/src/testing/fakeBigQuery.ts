import { isMap, type Json, mapAt } from '../google/json.ts';
import { type Handler, type Received, type Reply, refusal } from './fakeGoogle.ts';

/** How a job ends: a result, statistics or an error. */
export interface JobEnd {
  readonly schema?: Json;
  readonly rows?: readonly Json[];
  readonly statistics?: Json;
  readonly error?: Json;
  /** The job never ends. */
  readonly hangs?: boolean;
}

/** Fake BigQuery jobs: inserted once, pending at first, done at the second poll; pages have two rows. */
export class FakeBigQuery {
  readonly jobs = new Map<string, { resource: Json; end: JobEnd; looks: number }>();
  readonly uploads: Buffer[] = [];
  readonly cancelled: string[] = [];
  #sessions = new Map<string, Json>();
  readonly #end: (configuration: Json, count: number) => JobEnd;
  /** Calls of other resources. */
  other: Handler = () => refusal(404, 'Not found', 'notFound');

  constructor(end: (configuration: Json, count: number) => JobEnd = () => ({})) {
    this.#end = end;
  }

  get configurations(): Json[] {
    return [...this.jobs.values()].map(({ resource }) => mapAt(resource, 'configuration'));
  }

  readonly handle: Handler = (request) => {
    const { host, path, method, json } = request;
    if (host !== 'bigquery.googleapis.com') return this.other(request);
    if (path.startsWith('/upload/')) return this.#upload(request);
    const [, , , , project, kind, id, action] = path.split('/').map(decodeURIComponent);
    if (project !== 'my-project') return refusal(403, `Access denied to ${project}`, 'accessDenied');
    if (kind === 'jobs' && method === 'POST' && id === undefined) return this.#insert(json);
    if (kind === 'jobs' && action === 'cancel') {
      this.cancelled.push(id ?? '');
      return { body: {} };
    }
    if (kind === 'jobs') return this.#look(id ?? '', request);
    if (kind === 'queries') return this.#results(id ?? '', request);
    return this.other(request);
  };

  #insert(job: Json): Reply {
    const id = String(mapAt(job, 'jobReference').jobId);
    if (this.jobs.has(id)) return refusal(409, `Already Exists: Job ${id}`, 'duplicate');
    const reference = {
      ...mapAt(job, 'jobReference'),
      location: mapAt(job, 'jobReference').location ?? 'EU',
    };
    const resource = { ...job, jobReference: reference, status: { state: 'RUNNING' } };
    const end = this.#end(mapAt(job, 'configuration'), this.jobs.size + 1);
    this.jobs.set(id, { resource, end, looks: 0 });
    return { body: resource };
  }

  #look(id: string, { query }: Received): Reply {
    const job = this.jobs.get(id);
    if (!job || query.get('location') !== 'EU')
      return refusal(404, `Not found: Job my-project:${id}`, 'notFound');
    job.looks++;
    if (job.end.hangs || job.looks < 2) return { body: job.resource };
    const { error, statistics = {} } = job.end;
    return {
      body: {
        ...job.resource,
        status: { state: 'DONE', ...(error && { errorResult: error, errors: [error] }) },
        statistics: { creationTime: '1000', startTime: '1500', endTime: '2500', ...statistics },
      },
    };
  }

  #results(id: string, { query }: Received): Reply {
    const job = this.jobs.get(id);
    if (!job || query.get('formatOptions.useInt64Timestamp') !== 'true')
      return refusal(400, 'Bad request', 'invalid');
    const { schema, rows = [] } = job.end;
    const start = Number(query.get('pageToken') ?? 0);
    return {
      body: {
        jobComplete: true,
        ...(schema && { schema }),
        totalRows: String(rows.length),
        rows: rows.slice(start, start + 2),
        ...(start + 2 < rows.length && { pageToken: String(start + 2) }),
      },
    };
  }

  #upload({ method, json, query, bytes, headers }: Received): Reply {
    if (method === 'POST') {
      const id = String(this.#sessions.size);
      this.#sessions.set(id, json);
      return {
        headers: {
          location: `https://bigquery.googleapis.com/upload/bigquery/v2/projects/my-project/jobs?upload_id=${id}`,
        },
      };
    }
    const job = this.#sessions.get(query.get('upload_id') ?? '');
    if (!job || !isMap(job) || !/^bytes 0-\d+\/\d+$/.test(String(headers['content-range'])))
      return refusal(400, 'Bad upload');
    this.uploads.push(bytes);
    return this.#insert(job);
  }
}

/** The rows of a result as BigQuery writes them. */
export const aRow = (...values: readonly unknown[]): Json => ({ f: values.map((v) => ({ v })) });
