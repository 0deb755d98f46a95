import { flowTests } from '@millrace/contract';
import { readTestSuite } from '@millrace/engine/flow-test';
import type { FastifyInstance } from 'fastify';
import { toValidation } from '../../dashboards/problem.ts';
import {
  createTestSuite,
  deleteTestSuite,
  findTestSuite,
  presentTestSuite,
  updateTestSuite,
} from '../../flowTests/flowTests.ts';
import { recordTest } from '../../flowTests/recordTest.ts';
import { runStoredSuite, runSuites } from '../../flowTests/runFlowTests.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';

export function mountFlowTests(app: FastifyInstance, product: Product): void {
  const { store } = product;
  let running: Promise<unknown> = Promise.resolve();
  /** One run at a time: tests only compute, and several would take the processor from everything else. */
  const oneByOne = <T>(work: () => Promise<T>): Promise<T> => {
    const next = running.then(work);
    running = next.catch(() => undefined);
    return next;
  };

  mount(app, flowTests.listTestSuites, async ({ query }) => {
    const { namespace, flowId, flowRevision } = query;
    const { results, total } = await store.listFlowTests({
      ...toPageQuery(query),
      ...(namespace === undefined ? {} : { namespace, isPrefix: flowId === undefined }),
      ...(flowId === undefined ? {} : { flowId }),
      ...(flowRevision === undefined ? {} : { flowRevision }),
    });
    return { results: results.map(presentTestSuite), total };
  });
  mount(app, flowTests.getTestSuite, async ({ params }) =>
    presentTestSuite(await findTestSuite(params, product)),
  );
  mount(app, flowTests.createTestSuite, ({ body }) => createTestSuite(body, product));
  mount(app, flowTests.updateTestSuite, ({ params, body }) => updateTestSuite(params, body, product));
  mount(app, flowTests.deleteTestSuite, ({ params }) => deleteTestSuite(params, product));
  mount(app, flowTests.validateTestSuite, ({ body }) =>
    toValidation(readTestSuite(body).issues.map(({ path, message }) => ({ path, message }))),
  );
  mount(app, flowTests.runTestSuite, async ({ params }) => {
    const stored = await findTestSuite(params, product);
    return oneByOne(() => runStoredSuite(stored, product));
  });
  mount(app, flowTests.runTestSuites, async ({ body }) => {
    const results = await oneByOne(() => runSuites(body, product));
    return { results, total: results.length };
  });
  mount(app, flowTests.recordTestSuite, async ({ body }) => ({
    source: await oneByOne(() => recordTest(body.executionId, product)),
  }));
}
