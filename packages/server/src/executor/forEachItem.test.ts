import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

describe.each(databases)('ForEachItem on $name', (database) => {
  const shared = sharedServer(database);

  it('[E47] runs a child per batch of a file and merges their outputs', async () => {
    const [server, child, parent] = [shared(), anId(), anId()];
    await server.saveFlow(
      aFlow(
        child,
        `inputs:
  - id: n
    type: INT
tasks:
  - id: show
    type: core.debug.Return
    format: "batch {{ inputs.n }}"
outputs:
  - id: text
    type: STRING
    value: "{{ outputs.show.value }}"
`,
      ),
    );
    await server.saveFlow(
      aFlow(
        parent,
        `tasks:
  - id: file
    type: core.storage.Write
    content: "a\\nb\\nc\\n"
  - id: each
    type: core.flow.ForEachItem
    items: "{{ outputs.file.uri }}"
    batch: { rows: 2 }
    namespace: company.team
    flowId: ${child}
    inputs:
      n: "{{ taskrun.iteration }}"
  - id: merged
    type: core.debug.Return
    format: "{{ read(outputs.each_merge.subflowOutputs) }}"
`,
      ),
    );
    const execution = await server.run(parent);
    expect(taskRunsOf(execution).map((run) => [run.taskId, stateOf(run)])).toEqual([
      ['file', 'SUCCESS'],
      ['each', 'SUCCESS'],
      ['each_split', 'SUCCESS'],
      ['each_items', 'SUCCESS'],
      ['each_merge', 'SUCCESS'],
      ['merged', 'SUCCESS'],
    ]);
    const { outputs } = taskRunsOf(execution).find((run) => run.taskId === 'each_items') ?? {};
    expect(outputs).toEqual({
      numberOfBatches: 2,
      iterations: { CREATED: 0, RUNNING: 0, SUCCESS: 2, WARNING: 0, FAILED: 0, KILLED: 0, CANCELLED: 0 },
      subflowOutputsBaseUri: expect.stringMatching(/^millrace:\/\/\/.*\/each_items\/[^/]+$/),
    });
    expect(taskRunsOf(execution).at(-1)?.outputs).toEqual({
      value: '{"text":"batch 1"}\n{"text":"batch 2"}\n',
    });
  });
});
