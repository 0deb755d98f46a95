import { describe, expect, it } from 'vitest';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

describe('retry', () => {
  const retry = { type: 'constant', interval: 'PT2S', maxAttempt: 3 };

  it('[E70] tries a failed task again until it runs out of attempts; errors start only then', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko', { retry })], errors: [aTask('e')] }), {
      ko: 'FAILED',
    }).start();
    expect(run.state).toBe('RETRYING');
    run.wake().wake();
    expect(run.historyOf('ko')).toEqual([
      'CREATED',
      'RUNNING',
      'FAILED',
      'RETRYING',
      'CREATED',
      'RUNNING',
      'FAILED',
      'RETRYING',
      'CREATED',
      'RUNNING',
      'FAILED',
    ]);
    expect(run.runOf('ko').attempts.map((attempt) => attempt.state.current)).toEqual([
      'FAILED',
      'FAILED',
      'FAILED',
    ]);
    expect(run.summary()).toEqual(['ko:FAILED', 'e:SUCCESS']);
    expect(run.state).toBe('FAILED');
  });

  it('[E71] a retry that succeeds ends in SUCCESS, or WARNING when the author asks', () => {
    const script = { ko: 'SUCCESS', 'ko#0': 'FAILED' } as const;
    expect(new Harness(aFlow({ tasks: [aTask('ko', { retry })] }), script).start().wake().state).toBe(
      'SUCCESS',
    );
    expect(
      new Harness(aFlow({ tasks: [aTask('ko', { retry: { ...retry, warningOnRetry: true } })] }), script)
        .start()
        .wake().state,
    ).toBe('WARNING');
  });

  it('[E350] attemptsCount is the number of attempts that have ended', () => {
    const run = new Harness(
      aFlow({ tasks: [aTask('ko', { retry, format: '{{ taskrun.attemptsCount }}' })] }),
      {
        'ko#0': 'FAILED',
      },
    ).start();
    expect(run.live.variables(run.runOf('ko').id).taskrun).toMatchObject({ attemptsCount: 1 });
    expect(run.wake().runOf('ko').outputs).toEqual({ value: '1' });
  });

  it('[E72] maxDuration bounds the attempts: at 0, 2 and 4 s, a fourth would come too late', () => {
    const run = new Harness(
      aFlow({ tasks: [aTask('ko', { retry: { type: 'constant', interval: 'PT2S', maxDuration: 'PT5S' } })] }),
      { ko: 'FAILED' },
    )
      .start()
      .wake()
      .wake();
    expect(run.runOf('ko').attempts).toHaveLength(3);
    expect(run.state).toBe('FAILED');
  });

  it('[E73] exponential waits grow by the factor up to the maximum', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aTask('ko', {
            retry: { type: 'exponential', interval: 'PT1S', maxInterval: 'PT3S', maxAttempt: 4 },
          }),
        ],
      }),
      { ko: 'FAILED' },
    ).start();
    const dates = [run.now];
    for (let round = 0; round < 3; round++) dates.push(run.wake().now);
    expect(dates.slice(1).map((at, index) => at - dates[index]!)).toEqual([1000, 2000, 3000]);
  });

  it("[E74] the retry of a control task applies to what runs inside it, the flow's to everything", () => {
    const inside = new Harness(
      aFlow({ tasks: [aControl('Sequential', 's', { retry, tasks: [aTask('ko')] })] }),
      { ko: 'FAILED' },
    )
      .start()
      .wake()
      .wake();
    expect(inside.runOf('ko').attempts).toHaveLength(3);
    const flow = new Harness(aFlow({ tasks: [aTask('ko')], retry }), { ko: 'FAILED' }).start().wake().wake();
    expect(flow.runOf('ko').attempts).toHaveLength(3);
  });

  it('[E75] allowFailure counts only for the last attempt', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko', { retry, allowFailure: true }), aTask('next')] }), {
      ko: 'FAILED',
    }).start();
    expect(run.state).toBe('RETRYING');
    expect(run.wake().wake().summary()).toEqual(['ko:WARNING', 'next:SUCCESS']);
  });

  it('[E76] CREATE_NEW_EXECUTION gives this execution up as RETRIED and asks for a replay later', () => {
    const flow = aFlow({
      tasks: [
        aControl('Sequential', 's', {
          tasks: [aTask('ko', { retry: { ...retry, behavior: 'CREATE_NEW_EXECUTION' } })],
        }),
      ],
    });
    const run = new Harness(flow, { ko: 'FAILED' }).start();
    expect(run.summary()).toEqual(['s:RETRIED', 'ko:RETRIED']);
    expect(run.state).toBe('RETRIED');
    expect(run.live.hasEnded()).toBe(false);
    expect(run.reload().live.wakes()).toEqual([{ reason: 'replay', at: run.now + 2000 }]);
    run.wake();
    expect(run.effects.map((effect) => effect.effect)).toContain('replay');
    expect(run.live.hasEnded()).toBe(true);
  });
});
