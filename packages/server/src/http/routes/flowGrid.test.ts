import { flowGrid } from '@millrace/contract';
import { anExecution, aTaskRun, insert } from '@millrace/store/suite';
import { describe, expect, it } from 'vitest';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const source = (namespace: string) => `id: etl
namespace: ${namespace}
tasks:
  - {id: load, type: core.debug.Return, format: x}
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      - {id: item, type: core.debug.Return, format: x}
`;

describe.each(databases)('the grid of a flow on $name', (database) => {
  const shared = sharedServer(database);

  it('O-11.1 has the last executions, the tasks in their order, and one cell per task that ran', async () => {
    const server = shared();
    const namespace = `grid.${anId()}`;
    await server.saveFlow(source(namespace));
    const commit = async (start: number, id: string) => {
      const execution = anExecution({ id, namespace, flowId: 'etl', state: 'FAILED', start });
      const run = (taskId: string, current: 'SUCCESS' | 'FAILED', date: number, order: number) => ({
        op: 'taskRun.put' as const,
        taskRun: aTaskRun(id, {
          id: `${id}-${order}`,
          taskId,
          order,
          state: {
            current,
            histories: [
              { state: 'CREATED', date },
              { state: current, date: date + 50 },
            ],
          },
          outputs: { secret: 'never in a grid' },
        }),
      });
      await server.product.store.commit([
        insert(execution),
        run('load', 'SUCCESS', start, 0),
        run('each', 'FAILED', start + 1, 1),
        run('item', 'SUCCESS', start + 2, 2),
        run('item', 'FAILED', start + 3, 3),
        run('gone', 'SUCCESS', start + 4, 4),
      ]);
    };
    const start = Date.now() - 60_000;
    const [older, newer] = [`older${anId()}`, `newer${anId()}`];
    await commit(start, older);
    await commit(start + 1_000, newer);
    const read = async (query: string) => {
      const { body } = await server.call('GET', `/flows/${namespace}/etl/grid?${query}`);
      expect(JSON.stringify(body)).not.toContain('never in a grid');
      return flowGrid.FlowGrid.parse(body);
    };

    const grid = await read('size=1');
    expect(grid.total).toBe(2);
    expect(grid.tasks.map(({ id, depth, branch }) => [id, depth, branch])).toEqual([
      ['load', 0, 'tasks'],
      ['each', 0, 'tasks'],
      ['item', 1, 'tasks'],
      ['gone', 0, 'removed'],
    ]);
    expect(grid.executions).toMatchObject([{ id: newer, state: { current: 'FAILED' }, isPartial: false }]);
    expect(grid.executions[0]?.cells.find(({ taskId }) => taskId === 'item')).toMatchObject({
      state: 'FAILED',
      counts: { SUCCESS: 1, FAILED: 1 },
      taskRunId: `${newer}-3`,
      durationMs: 50,
    });
    expect((await read('size=1&page=2')).executions.map(({ id }) => id)).toEqual([older]);

    const current = await server.call('GET', `/executions/current-tasks?ids=${newer},unknown`);
    expect(current.body).toEqual([
      { executionId: newer, taskId: 'item', taskRunId: `${newer}-3`, state: 'FAILED', others: 1 },
    ]);
  });

  it('is refused for an unknown flow, and for too many executions at once', async () => {
    const server = shared();
    expect((await server.call('GET', '/flows/grid.one/unknown/grid')).status).toBe(404);
    const ids = Array.from({ length: 101 }, (_, index) => `x${index}`).join(',');
    expect((await server.call('GET', `/executions/current-tasks?ids=${ids}`)).status).toBe(422);
    expect((await server.call('GET', '/executions/current-tasks')).status).toBe(422);
  });
});
