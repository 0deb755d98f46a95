import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realProcesses, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { evaluationTypes } from '../evaluations.ts';

const find = (type: string) =>
  // `as`: every type of the list is a task.
  evaluationTypes.find((each) => each.type === type) as TaskDefinition;

export const aContext = (): TestContext =>
  aTaskContext({ spawn: realProcesses, variables: { inputs: { name: 'Ada' }, vars: { list: [1, 2] } } });

export const run = (type: string, properties: object, context = aContext()) =>
  runType(find(type), { ...properties }, context);

async function transform(group: string, script: string, rows: readonly unknown[], context = aContext()) {
  const from = await context.files.put('rows.ion', rows.map((row) => JSON.stringify(row)).join('\n'));
  const { uri } = await run(`${group}.FileTransform`, { from, script }, context);
  return (await context.files.text(String(uri)))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A language with scripts that do the same in each. */
export interface Language {
  readonly group: string;
  readonly isThere: boolean;
  readonly names: string;
  readonly member: string;
  readonly fails: string;
  readonly rows: string;
}

/** The tests that every language passes. */
export const testEvaluation = ({ group, isThere, names, member, fails, rows }: Language) =>
  describe(group, () => {
    test.runIf(isThere)('a script sees the variables, logs, and gives outputs and a result', async () => {
      const context = aContext();
      const evaluated = await run(
        `${group}.Eval`,
        { script: names, outputs: ['greeting', 'sum', 'none'] },
        context,
      );
      expect(evaluated).toEqual({ result: 3, outputs: { greeting: 'Hello Ada', sum: 3 } });
      expect(context.logs).toEqual([{ level: 'WARN', message: 'careful' }]);
      expect(await run(`${group}.Eval`, { script: member, outputs: ['greeting'] })).toMatchObject({
        outputs: { greeting: 'from the result' },
      });
    });

    test.runIf(isThere)('rows are changed, dropped and multiplied', async () => {
      const context = aContext();
      const written = [{ n: 1 }, { n: 2, text: 'ü\n' }, { n: 3 }];
      expect(await transform(group, rows, written, context)).toEqual([
        { n: 2, text: 'ü\n', ok: true },
        { n: 3 },
        { n: 30 },
      ]);
      expect(context.metrics).toEqual([{ name: 'records', type: 'counter', value: 3 }]);
      expect(await transform(group, rows, [], aContext())).toEqual([]);
    });

    test.runIf(isThere)('a script that fails fails the task and logs why', async () => {
      const context = aContext();
      await expect(run(`${group}.Eval`, { script: fails }, context)).rejects.toThrow(
        'The script failed with exit code 1',
      );
      expect(context.logs.map(({ message }) => message).join('\n')).toContain('broken');
    });
  });
