import { AppError, jobs } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../mount.ts';

export function mountJobs(app: FastifyInstance): void {
  mount(app, jobs.getJob, async ({ params }) => {
    const job = await app.jobs?.find(params.jobId);
    if (!job) throw new AppError('not-found', `there is no job "${params.jobId}"`);
    return job;
  });
}
