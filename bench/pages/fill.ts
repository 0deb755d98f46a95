import { terminalStates } from '@millrace/contract';
import type { Api } from '../../e2e/product/api.ts';
import { simpleFlow } from '../flows.ts';

const flows = 60;
const stages = 40;
const tasksInStage = 24;

/**
 * What the pages show: two pages of flows and of executions, a flow of a thousand tasks, and an execution with a long
 * log, whose id is the answer.
 */
export async function fillForPages(api: Api, logLines: number): Promise<string> {
  for (let number = 1; number <= flows; number += 1) {
    await api.saveFlow(simpleFlow(`flow-${number}`));
    await runToEnd(api, `flow-${number}`);
  }
  await api.saveFlow(largeFlow('large'));
  await api.saveFlow(talkativeFlow('talkative', logLines));
  return runToEnd(api, 'talkative');
}

async function runToEnd(api: Api, flowId: string): Promise<string> {
  const { id } = await api.execute('bench', flowId);
  const { state } = await api.waitForExecution(id, (one) => terminalStates.includes(one.state.current));
  if (state.current !== 'SUCCESS')
    throw new Error(`The execution ${id} of ${flowId} ended ${state.current}.`);
  return id;
}

/** A thousand tasks: stages one after the other, and in each of them tasks beside each other. */
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

/** A task run may keep 50,000 lines in the log, so several of them write it. */
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

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
