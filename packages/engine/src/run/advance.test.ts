import { describe, expect, it } from 'vitest';
import { aFlow, aTask, Harness } from './testing/harness.ts';

describe('a simple sequence', () => {
  it('[E1] runs its tasks in order and ends in SUCCESS', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('b')] })).start();
    expect(run.summary()).toEqual(['a:SUCCESS', 'b:SUCCESS']);
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
    expect(run.historyOf('a')).toEqual(['CREATED', 'RUNNING', 'SUCCESS']);
    expect(run.live.hasEnded()).toBe(true);
  });

  it('[E2] stops at the first failure', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('b')] }), { a: 'FAILED' }).start();
    expect(run.summary()).toEqual(['a:FAILED']);
    expect(run.state).toBe('FAILED');
  });

  it('[E3] renders outputs of earlier tasks', () => {
    const run = new Harness(
      aFlow({
        tasks: [aTask('a', { format: 'hello' }), aTask('b', { format: '{{ outputs.a.value }} world' })],
      }),
    ).start();
    expect(run.runOf('b').outputs).toEqual({ value: 'hello world' });
  });

  it('[E4] a parallel loop runs the tasks of one value in order', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aTask('each', {
            type: 'io.kestra.plugin.core.flow.ForEach',
            values: '{{ range(1, 3) }}',
            concurrencyLimit: 0,
            tasks: [
              aTask('x', { format: '{{ taskrun.value }}' }),
              aTask('y', { format: '{{ outputs.x[taskrun.value].value }}' }),
            ],
          }),
          aTask('last', { format: '{{ outputs.y["2"].value }}' }),
        ],
      }),
    ).start();
    expect(run.state).toBe('SUCCESS');
    expect(run.runOf('last').outputs).toEqual({ value: '2' });
    expect(run.live.taskRuns()).toHaveLength(8);
  });
});
