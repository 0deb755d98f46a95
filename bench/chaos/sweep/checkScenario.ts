import type { Store } from '@millrace/store';
import type { Accepted } from '../drive.ts';
import { checkInvariants, readExecutions, type Violations } from '../invariants.ts';
import type { Scenario } from './scenarios.ts';

interface Done {
  readonly accepted: Accepted;
  /** Lines `taskRunId attempt`, one for each run of a task. */
  readonly ledger: readonly string[];
}

/** The violations after a scenario has finished. */
export async function checkScenario(scenario: Scenario, done: Done, rows: Store): Promise<Violations> {
  const executions = await readExecutions(rows);
  const violations = await checkInvariants({ executions, ...done }, rows);
  for (const [flowId, expected] of Object.entries(scenario.expected)) {
    const found = executions.filter(({ execution }) => execution.flowId === flowId).length;
    if (found !== expected) violations.push(`The flow ${flowId} has ${found} executions of ${expected}.`);
  }
  for (const { execution, taskRuns } of executions) {
    const lines = await rows.listLogs({ executionId: execution.id });
    for (const { id, taskId, state, attempts, outputs } of taskRuns) {
      if (state.current !== 'SUCCESS' || !(taskId === 'first' || outputs?.vars)) continue;
      const said = lines.filter(
        (line) => line.taskRunId === id && line.attemptNumber === attempts.length - 1,
      );
      const text = said.map(({ message }) => message).join(' ');
      if (text !== 'one two three') violations.push(`The task run ${id} succeeded and its log is "${text}".`);
    }
  }
  if ((await rows.openFlowEvents(Number.MAX_SAFE_INTEGER, 1)).length > 0)
    violations.push('A state change waits to be looked at.');
  if ((await rows.lockedTriggers({ limit: 1 })).length > 0)
    violations.push('A trigger waits for an execution.');
  return violations;
}
