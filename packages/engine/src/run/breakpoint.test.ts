import { describe, expect, it } from 'vitest';
import { aFlow, aTask, Harness } from './testing/harness.ts';

const each = aTask('each', {
  type: 'core.flow.ForEach',
  values: ['x', 'y'],
  concurrencyLimit: 0,
  tasks: [aTask('inner')],
});

describe('breakpoints', () => {
  it('[E78] [E79] stops before the task, after a reload too, and continues when it is resumed', () => {
    const flow = aFlow({ tasks: [aTask('a'), aTask('b'), aTask('c')] });
    const run = new Harness(flow, {}, { breakpoints: [{ id: 'b' }, { id: 'c' }] }).start();
    expect(run.state).toBe('BREAKPOINT');
    expect(run.summary()).toEqual(['a:SUCCESS', 'b:CREATED']);
    run.reload().live.recover(run.now);
    expect(run.live.takeChanges().effects).toEqual([]);
    run.send({ type: 'resumeFromBreakpoint' });
    expect([run.state, ...run.summary()]).toEqual(['BREAKPOINT', 'a:SUCCESS', 'b:SUCCESS', 'c:CREATED']);
    run.send({ type: 'resumeFromBreakpoint' });
    expect(run.state).toBe('SUCCESS');
    expect(run.history()).toEqual([
      'CREATED',
      'RUNNING',
      'BREAKPOINT',
      'RUNNING',
      'BREAKPOINT',
      'RUNNING',
      'SUCCESS',
    ]);
  });

  it('[E78] one value of a loop can be named; the others run', () => {
    const run = new Harness(aFlow({ tasks: [each] }), {}, { breakpoints: [{ id: 'inner', value: 'y' }] });
    run.start();
    expect(run.state).toBe('BREAKPOINT');
    expect(run.summary()).toEqual(['each:RUNNING', 'inner[x]:SUCCESS', 'inner[y]:CREATED']);
    expect(run.send({ type: 'forceRun' }).state).toBe('SUCCESS');
  });

  it('[E78] what runs beside it ends, and nothing new starts', () => {
    const group = (id: string, tasks: ReturnType<typeof aTask>[]) =>
      aTask(id, { type: 'core.flow.Parallel', tasks });
    const flow = aFlow({ tasks: [group('p', [aTask('slow'), aTask('stop')]), aTask('next')] });
    const run = new Harness(flow, { slow: 'HOLD' }, { breakpoints: [{ id: 'stop' }] }).start().end('slow');
    expect([run.state, ...run.summary()]).toEqual([
      'BREAKPOINT',
      'p:RUNNING',
      'slow:SUCCESS',
      'stop:CREATED',
    ]);
    run.send({ type: 'resumeFromBreakpoint' });
    expect(run.state).toBe('SUCCESS');
  });

  it('[E79] resuming can name other breakpoints; a kill ends it; a pause beside it keeps waiting', () => {
    const flow = aFlow({ tasks: [aTask('a'), aTask('b')] });
    const changed = new Harness(flow, {}, { breakpoints: [{ id: 'a' }, { id: 'b' }] }).start();
    expect(changed.send({ type: 'resumeFromBreakpoint', breakpoints: [] }).state).toBe('SUCCESS');
    const killed = new Harness(flow, {}, { breakpoints: [{ id: 'a' }] }).start();
    expect(killed.send({ type: 'kill', cascade: false }).state).toBe('KILLED');
    expect(killed.summary()).toEqual(['a:KILLED']);
    expect(() => killed.send({ type: 'resumeFromBreakpoint' })).toThrow('not in state BREAKPOINT');
    const pause = aTask('pause', { type: 'core.flow.Pause' });
    const both = aFlow({ tasks: [aTask('p', { type: 'core.flow.Parallel', tasks: [pause, aTask('a')] })] });
    const run = new Harness(both, {}, { breakpoints: [{ id: 'a' }] }).start();
    expect(run.state).toBe('BREAKPOINT');
    expect(run.send({ type: 'resumeFromBreakpoint' }).state).toBe('PAUSED');
    expect(run.send({ type: 'resume' }).state).toBe('SUCCESS');
  });

  it('[E78] a violated SLA ends an execution that stands at a breakpoint', () => {
    const flow = aFlow({
      tasks: [aTask('p', { type: 'core.flow.Parallel', tasks: [aTask('a'), aTask('b')] })],
      sla: [{ id: 'short', type: 'MAX_DURATION', duration: 'PT1H', behavior: 'FAIL' }],
    });
    const run = new Harness(flow, {}, { breakpoints: [{ id: 'a' }, { id: 'b' }] }).start().wake();
    expect([run.state, ...run.summary()]).toEqual(['FAILED', 'p:CANCELLED', 'a:CANCELLED', 'b:FAILED']);
    expect(run.live.hasEnded()).toBe(true);
  });
});
