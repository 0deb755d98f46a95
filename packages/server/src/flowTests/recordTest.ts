import { LiveRun } from '@millrace/engine';
import { recordTestSuite, writeTestSuite } from '@millrace/engine/flow-test';
import { createMasker } from '@millrace/plugin-kit';
import { findExecution, findFlowToRun } from '../actions/findExecution.ts';
import type { Product } from '../product.ts';
import { surroundingsOf } from './runFlowTests.ts';

type Parts = Pick<Product, 'store' | 'catalogue' | 'flows' | 'clock' | 'environment'>;

const maxLogs = 500;

/** The source of a test suite that expects what this execution did. Secrets of the flow are masked. */
export async function recordTest(executionId: string, parts: Parts): Promise<string> {
  const { execution, taskRuns } = await findExecution(parts, executionId);
  const flow = await findFlowToRun(parts, execution);
  const logs = await parts.store.listLogs({ executionId, minLevel: 'INFO', limit: maxLogs });
  const suite = await recordTestSuite(
    {
      flow,
      execution,
      taskRuns,
      logs: logs.map(({ taskId, message }) => ({ message, ...(taskId === undefined ? {} : { taskId }) })),
    },
    await surroundingsOf(flow, parts),
  );
  const live = new LiveRun(flow, execution, taskRuns, parts.environment);
  const masker = createMasker([...(parts.environment.secretsIn?.(flow) ?? []), ...live.secretTexts()]);
  return masker.mask(writeTestSuite(suite));
}
