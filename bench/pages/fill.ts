import { setTimeout as wait } from 'node:timers/promises';
import { isTerminal, type StateType } from '@millrace/contract';
import type { Api } from '../../e2e/product/api.ts';
import { loopFlow, simpleFlow } from '../flows.ts';

const flows = 60;
const stages = 40;
const tasksInStage = 24;
const limitMs = 180_000;

/** The ids of the executions that pages show. */
export interface Filled {
  readonly talkative: string;
  readonly looped: string;
  /** The same loop, run once more. */
  readonly loopedAgain: string;
}

/**
 * Creates the data of the pages: two pages of flows and of executions, a flow of a thousand tasks, an execution
 * with a long log, and one with a long loop.
 */
export async function fillForPages(api: Api, logLines: number, iterations: number): Promise<Filled> {
  for (let number = 1; number <= flows; number += 1) {
    await api.saveFlow(simpleFlow(`flow-${number}`));
    await runToEnd(api, `flow-${number}`);
  }
  await api.saveFlow(largeFlow('large'));
  await api.saveFlow(talkativeFlow('talkative', logLines));
  await api.saveFlow(loopFlow('looped', iterations));
  await api.saveFlow(writingFlow('writing'));
  await api.saveFlow(longFlow('long'));
  return {
    talkative: await runToEnd(api, 'talkative'),
    looped: await runToEnd(api, 'looped'),
    loopedAgain: await runToEnd(api, 'looped'),
  };
}

async function runToEnd(api: Api, flowId: string): Promise<string> {
  const { id } = await api.execute('bench', flowId);
  const state = await waitForEnd(api, flowId, id);
  if (state !== 'SUCCESS') throw new Error(`The execution ${id} of ${flowId} ended ${state}.`);
  return id;
}

/** Reads the list of executions, because an execution itself comes with all of its task runs. */
export async function waitForEnd(api: Api, flowId: string, executionId: string): Promise<StateType> {
  const query = { namespace: 'bench', flowId, size: '5', sort: 'state.startDate:desc' };
  for (const startedAt = Date.now(); Date.now() - startedAt < limitMs; await wait(20)) {
    const { results } = await api.searchExecutions(query);
    const state = results.find(({ id }) => id === executionId)?.state.current;
    if (state && isTerminal(state)) return state;
  }
  throw new Error(`The execution ${executionId} of ${flowId} did not end in ${limitMs / 1000} s.`);
}

/** A thousand tasks: sequential stages with parallel tasks in each. */
const largeFlow = (id: string) => `id: ${id}
namespace: bench
tasks:
${numbers(stages).map(stage).join('')}`;

const stage = (number: number) => `  - id: stage-${number}
    type: core.flow.Parallel
    tasks:
${numbers(tasksInStage)
  .map((task) => `      - id: task-${number}-${task}\n        type: core.log.Log\n        message: done\n`)
  .join('')}`;

/** Two thousand lines of text. */
const longFlow = (id: string) => `id: ${id}
namespace: bench
tasks:
${numbers(500)
  .map(
    (task) => `  - id: step-${task}
    type: core.debug.Return
    description: The step ${task} of a long flow
    format: "{{ ${task === 1 ? 'flow.id' : `outputs['step-${task - 1}'].value`} }}"
`,
  )
  .join('')}`;

/** A task run may log at most 50,000 lines, so several of them write the log. */
const talkers = 4;

const talkativeFlow = (id: string, lines: number) => `id: ${id}
namespace: bench
tasks:
${numbers(talkers)
  .map((talker) => talkerTask(talker, lines / talkers))
  .join('')}`;

const talkerTask = (number: number, lines: number) => `  - id: talk-${number}
    type: scripts.shell.Commands
    taskRunner:
      type: core.runner.Process
    commands:
      - seq -f "line %.0f of a log that has as many words as lines usually have" 1 ${lines}
`;

const writers = 4;
const rounds = 80;
const linesPerRound = 550;
export const writtenLines = writers * rounds * linesPerRound;

/** Writes about 20,000 lines a second for some seconds. */
export const writingFlow = (id: string) => `id: ${id}
namespace: bench
tasks:
  - id: all
    type: core.flow.Parallel
    tasks:
${numbers(writers).map(writerTask).join('')}`;

const writerTask = (number: number) => `      - id: write-${number}
        type: scripts.shell.Commands
        taskRunner:
          type: core.runner.Process
        commands:
          - for round in $(seq ${rounds}); do seq -f "line %.0f of a log that is followed while it is written" 1 ${linesPerRound}; sleep 0.1; done
`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
