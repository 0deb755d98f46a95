import { stringify } from 'yaml';
import { type Choices, fixturesOf } from './choices.ts';
import type { DryRunRequest, DryRunShown } from './runInWorker.ts';

/** A test suite that expects what the dry run did, with everything that was chosen for it. */
export function toSuite(
  flow: { readonly namespace: string; readonly id: string },
  { execution, tasks }: DryRunShown,
  choices: Choices,
  copied: DryRunRequest['tasks'],
): string {
  const known = new Set(tasks.filter(({ canFix }) => canFix).map(({ id }) => id));
  const state = execution.state.current;
  const inputs = execution.inputs ?? {};
  const fixtures = fixturesOf(choices, copied)
    // Tasks that were computed are computed in the test too.
    .filter(({ id }) => known.has(id) && tasks.find((task) => task.id === id)?.source !== 'computed')
    .map(({ id, value, outputs, state: ended }) => ({
      id,
      ...(value === undefined ? {} : { value }),
      ...(ended === undefined ? {} : { state: ended }),
      ...(outputs && Object.keys(outputs).length > 0 ? { outputs } : {}),
    }));
  const branches = Object.fromEntries(Object.entries(choices.branches).filter(([, branch]) => branch !== ''));
  const untaken = tasks.filter(({ runs }) => runs === 0).map(({ id }) => id);
  return stringify(
    {
      id: `${flow.id}_test`,
      namespace: flow.namespace,
      flowId: flow.id,
      testCases: [
        {
          id: `ends_in_${state.toLowerCase()}`,
          fixtures: {
            now: execution.state.startDate,
            ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
            ...(fixtures.length > 0 ? { tasks: fixtures } : {}),
            ...(Object.keys(branches).length > 0 ? { branches } : {}),
          },
          assertions: [
            { state },
            ...tasks.flatMap((task) =>
              task.state && task.runs === 1 ? [{ taskId: task.id, state: task.state }] : [],
            ),
            ...(untaken.length > 0 ? [{ untaken }] : []),
          ],
        },
      ],
    },
    { lineWidth: 0 },
  );
}
