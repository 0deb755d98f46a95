import { describe, expect, it } from 'vitest';
import { aFlow, aTask, Harness } from '../run/testing/harness.ts';

const pause = (more: Record<string, unknown> = {}) => aTask('pause', { type: 'core.flow.Pause', ...more });

describe('Pause', () => {
  it('[E50] pauses the execution until it is resumed, then succeeds', () => {
    const run = new Harness(aFlow({ tasks: [pause(), aTask('next')] })).start();
    expect(run.state).toBe('PAUSED');
    run.send({ type: 'resume', inputs: { ok: true } });
    expect(run.historyOf('pause')).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'RUNNING', 'SUCCESS']);
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'RESTARTED', 'RUNNING', 'SUCCESS']);
    expect(run.runOf('pause').outputs).toEqual({ onResume: { ok: true } });
  });

  it('[E51] a delay resumes by itself and runs the children', () => {
    const run = new Harness(aFlow({ tasks: [pause({ delay: 'PT1S', tasks: [aTask('child')] })] })).start();
    expect(run.state).toBe('PAUSED');
    run.wake();
    expect(run.historyOf('pause')).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'RUNNING', 'SUCCESS']);
    expect(run.summary()).toEqual(['pause:SUCCESS', 'child:SUCCESS']);
    expect(run.now).toBe(1_700_000_001_000);
  });

  it('[E52] a timeout fails it', () => {
    const run = new Harness(aFlow({ tasks: [pause({ timeout: 'PT1S' })], errors: [aTask('e')] }))
      .start()
      .wake();
    expect(run.historyOf('pause')).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'FAILED']);
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'RESTARTED', 'RUNNING', 'FAILED']);
    expect(run.summary()).toEqual(['pause:FAILED', 'e:SUCCESS']);
  });

  it.each([
    ['WARN', 'WARNING'],
    ['FAIL', 'FAILED'],
    ['CANCEL', 'CANCELLED'],
    ['RESUME', 'SUCCESS'],
  ])('[E53] when its duration ends, behavior %s ends the execution %s', (behavior, state) => {
    expect(
      new Harness(aFlow({ tasks: [pause({ pauseDuration: 'PT1S', behavior })] })).start().wake().state,
    ).toBe(state);
  });

  it('[E54] siblings that were due are started, then nothing new until the resume', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aTask('p', {
            type: 'core.flow.Parallel',
            tasks: [pause(), aTask('s', { type: 'core.flow.Sequential', tasks: [aTask('x'), aTask('y')] })],
          }),
        ],
      }),
      { x: 'HOLD' },
    ).start();
    expect(run.state).toBe('PAUSED');
    run.end('x');
    expect(run.started).toEqual(['x']);
    run.send({ type: 'resume' });
    expect(run.started).toEqual(['x', 'y']);
    expect(run.state).toBe('SUCCESS');
  });

  it('[E55] of two pauses the first is resumed first; the execution stays paused meanwhile', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aTask('p', {
            type: 'core.flow.Parallel',
            tasks: [pause(), aTask('pause2', { type: 'core.flow.Pause' })],
          }),
        ],
      }),
    ).start();
    run.send({ type: 'resume' });
    expect(run.state).toBe('PAUSED');
    run.send({ type: 'resume' });
    expect(run.state).toBe('SUCCESS');
  });

  it('[E56] a resume of what is not paused is refused and changes nothing', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] })).start();
    expect(() => run.send({ type: 'resume' })).toThrow('not in state PAUSED');
  });
});

describe('a pause without a duration', () => {
  it('[E57] starts nothing new; results are kept and followed up after the resume', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a'), aTask('b')] }), { a: 'HOLD' }).start();
    run.send({ type: 'pause' });
    run.end('a');
    expect(run.summary()).toEqual(['a:SUCCESS']);
    run.reload().send({ type: 'resume' });
    expect(run.state).toBe('SUCCESS');
    expect(run.history()).toEqual(['CREATED', 'RUNNING', 'PAUSED', 'RUNNING', 'SUCCESS']);
  });
});

describe('LoopUntil', () => {
  const loop = (more: Record<string, unknown>) =>
    aTask('loop', {
      type: 'core.flow.LoopUntil',
      tasks: [aTask('body', { format: '{{ outputs.loop.iterationCount }}' })],
      ...more,
    });

  it('[E60] repeats until the condition holds; the count tells the round', () => {
    const run = new Harness(aFlow({ tasks: [loop({ condition: '{{ outputs.body.value == "3" }}' })] }))
      .start()
      .wake()
      .wake();
    expect(run.state).toBe('SUCCESS');
    expect(run.runOf('loop').outputs).toEqual({ iterationCount: 3 });
    expect(run.runOf('loop').iteration).toBe(3);
    expect(run.summary()).toEqual(['loop:SUCCESS', 'body:SUCCESS']);
  });

  it.each([
    [true, 'FAILED'],
    [false, 'SUCCESS'],
  ])('[E61] after maxIterations it ends; failOnMaxReached %s → %s', (failOnMaxReached, state) => {
    const run = new Harness(
      aFlow({
        tasks: [
          loop({
            condition: 'false',
            failOnMaxReached,
            checkFrequency: { maxIterations: 3, interval: 'PT1S' },
          }),
        ],
      }),
    )
      .start()
      .wake()
      .wake();
    expect(run.started).toEqual(['body', 'body', 'body']);
    expect(run.state).toBe(state);
    expect(run.runOf('loop').outputs).toEqual({ iterationCount: 4 });
    expect(run.logs.join()).toContain('WARN');
  });

  it('[E62] after maxDuration it ends', () => {
    const run = new Harness(
      aFlow({
        tasks: [loop({ condition: 'false', checkFrequency: { maxDuration: 'PT2S', interval: 'PT3S' } })],
      }),
    )
      .start()
      .wake();
    expect(run.state).toBe('SUCCESS');
    expect(run.started).toEqual(['body', 'body']);
  });

  it('[E63] a failed child ends the loop', () => {
    const run = new Harness(aFlow({ tasks: [loop({ condition: 'false' })] }), { body: 'FAILED' }).start();
    expect(run.summary()).toEqual(['loop:FAILED', 'body:FAILED']);
  });

  it('[E64] waiting between two rounds does not freeze what runs beside it, and survives a reload', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aTask('p', {
            type: 'core.flow.Parallel',
            tasks: [
              loop({ condition: '{{ outputs.body.value == "2" }}' }),
              aTask('s', { type: 'core.flow.Sequential', tasks: [aTask('x'), aTask('y')] }),
            ],
          }),
        ],
      }),
      { x: 'HOLD' },
    ).start();
    run.end('x');
    expect(run.started).toContain('y');
    expect(run.reload().live.wakes()).toHaveLength(1);
    run.wake();
    expect(run.state).toBe('SUCCESS');
  });

  it('[E65] a disabled child does not end the loop early', () => {
    const run = new Harness(
      aFlow({
        tasks: [
          aTask('loop', {
            type: 'core.flow.WaitFor',
            condition: '{{ outputs.loop.iterationCount == 2 }}',
            tasks: [aTask('off', { disabled: true }), aTask('body')],
          }),
        ],
      }),
    )
      .start()
      .wake();
    expect(run.started).toEqual(['body', 'body']);
    expect(run.state).toBe('SUCCESS');
  });
});
