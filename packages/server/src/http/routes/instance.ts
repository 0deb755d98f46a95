import { AppError, instance as api, type InstanceServer } from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readInstanceHealth, readRetention } from '../../instance/readHealth.ts';
import { readQueues, readScheduler } from '../../instance/readQueues.ts';
import { findWorker, readServers } from '../../instance/readServers.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

/**
 * The state of the instance and the switches of its operators. The product has one account, so everyone who
 * has signed in is an administrator.
 */
export function mountInstance(app: FastifyInstance, product: Product): void {
  const { controls, sampler } = product;
  const by = ({ user }: FastifyRequest): string | undefined =>
    user?.token === undefined ? user?.username : `${user.username} (${user.token})`;

  mount(app, api.listServers, async () => ({ results: await readServers(product) }));
  mount(app, api.getQueues, () => readQueues(product));
  mount(app, api.getScheduler, () => readScheduler(product));
  mount(app, api.getHealth, () => readInstanceHealth(product));
  mount(app, api.getRetention, () => readRetention(product));
  mount(app, api.listActions, async () => ({ results: await controls.listActions() }));
  mount(app, api.listSlowQueries, async () => ({
    results: (await sampler.slowQueries.list()).map(({ totalMs, lastAt, count, ...rest }) => ({
      ...rest,
      count,
      averageMs: totalMs / count,
      lastAt: new Date(lastAt).toISOString(),
    })),
  }));

  mount(app, api.getMaintenance, () => controls.maintenance);
  mount(app, api.startMaintenance, async ({ body, request }) => {
    await controls.startMaintenance(body, by(request));
    return controls.maintenance;
  });
  mount(app, api.endMaintenance, async ({ request }) => {
    await controls.endMaintenance(by(request));
    return controls.maintenance;
  });

  mount(app, api.pauseScheduler, async ({ request }) => {
    await controls.pauseScheduler(by(request));
    return readScheduler(product);
  });
  mount(app, api.resumeScheduler, async ({ request }) => {
    await controls.resumeScheduler(by(request));
    return readScheduler(product);
  });

  mount(app, api.drainWorker, async ({ params, request }) => {
    const worker = findWorker(params.id, product);
    if (!worker) throw new AppError('not-found', `there is no running worker "${params.id}"`);
    await controls.drain(worker.id, worker.workerKey, by(request));
    return findServer(params.id, product);
  });
  mount(app, api.resumeWorker, async ({ params, request }) => {
    if (!controls.drainOf(params.id))
      throw new AppError('not-found', `there is no drained worker "${params.id}"`);
    await controls.resumeWorker(params.id, by(request));
    return findServer(params.id, product);
  });

  const logLevel = () => ({
    ...(controls.logLevel === undefined ? {} : { level: controls.logLevel }),
    configured: controls.configuredLevel,
  });
  mount(app, api.getLogLevel, logLevel);
  mount(app, api.changeLogLevel, async ({ body, request }) => {
    await controls.changeLogLevel(body.level, by(request));
    return logLevel();
  });
}

async function findServer(id: string, product: Product): Promise<InstanceServer> {
  const found = (await readServers(product)).find((server) => server.id === id);
  if (!found) throw new AppError('not-found', `there is no server "${id}"`);
  return found;
}
