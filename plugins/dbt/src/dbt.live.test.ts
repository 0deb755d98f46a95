import { aTaskContext, realProcesses, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { dbtCli } from './dbtCli.ts';

/** The folder of a real `dbt` with its DuckDB adapter; `npm run test:connectors` installs it. */
const bin = process.env.MILLRACE_TEST_DBT;

const project = {
  'dbt_project.yml':
    'name: shop\nversion: "1.0"\nprofile: shop\nmodel-paths: [models]\nseed-paths: [seeds]\n',
  'seeds/raw_orders.csv': 'id,customer,amount\n1,ann,10\n2,bob,20\n3,ann,5\n',
  'models/orders.sql': "select id, customer, amount from {{ '{{' }} ref('raw_orders') {{ '}}' }}",
  'models/customers.sql':
    "select customer, sum(amount) as total from {{ '{{' }} ref('orders') {{ '}}' }} group by customer",
  'models/schema.yml': `models:
  - name: customers
    columns:
      - name: customer
        data_tests: [unique, not_null]
`,
};
const profiles = 'shop:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      path: shop.duckdb\n';

describe.skipIf(!bin)('a real dbt project', () => {
  const run = (context: TestContext, properties: Record<string, unknown> = {}) =>
    runType(
      dbtCli,
      {
        inputFiles: project,
        profiles,
        commands: ['dbt build'],
        beforeCommands: [`PATH="${bin}:$PATH"`],
        ...properties,
      },
      context,
    );
  const states = ({ taskRuns }: TestContext) =>
    Object.fromEntries(taskRuns.map(({ taskId, state }) => [taskId.split('.').slice(0, 3).join('.'), state]));

  test('is built, and every seed, model and test is shown', async () => {
    const context = aTaskContext({ spawn: realProcesses });
    const outputs = await run(context, { outputFiles: ['shop.duckdb'] });
    expect(outputs.exitCode).toBe(0);
    expect(Object.keys(outputs.outputFiles as object).sort()).toEqual([
      'manifest.json',
      'run_results.json',
      'shop.duckdb',
    ]);
    expect(states(context)).toEqual({
      'seed.shop.raw_orders': 'SUCCESS',
      'model.shop.orders': 'SUCCESS',
      'model.shop.customers': 'SUCCESS',
      'test.shop.unique_customers_customer': 'SUCCESS',
      'test.shop.not_null_customers_customer': 'SUCCESS',
    });
    expect(context.metrics).toContainEqual({ name: 'log.stats.success', type: 'counter', value: 5 });
    for (const { startedAt, endedAt } of context.taskRuns) expect(endedAt).toBeGreaterThanOrEqual(startedAt);
  });

  test('that fails shows which model failed and what was skipped', async () => {
    const context = aTaskContext({ spawn: realProcesses });
    const inputFiles = { ...project, 'models/orders.sql': 'select nothing from nowhere' };
    await expect(run(context, { inputFiles })).rejects.toThrow('Command failed with exit code 1');
    expect(states(context)).toMatchObject({ 'model.shop.orders': 'FAILED' });
    expect(context.logs.some(({ level }) => level === 'ERROR')).toBe(true);
  });
});
