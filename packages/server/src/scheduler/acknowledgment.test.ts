import { afterEach, describe, expect, test } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import {
  definitions,
  executionsOf,
  logOf,
  polls,
  resetSources,
  rowOf,
  trigger,
  until,
} from './testing/pollingTriggers.ts';

afterEach(resetSources);

describe.each(databases)('polling triggers of queues on $name', (database) => {
  const server = sharedServer(database, { definitions });

  test('may acknowledge what they took once their execution is stored', async () => {
    const id = anId();
    const queue = [1, 2];
    const stored: number[] = [];
    polls.set(id, async (context) => {
      const [number] = queue;
      if (number === undefined) return undefined;
      await context.emit({ number });
      // The execution may have ended by now: that must not interrupt the acknowledgment.
      await until(async () => {
        const [last] = (await executionsOf(server(), id)).toReversed();
        expect(last && stateOf(last)).toBe('SUCCESS');
      });
      context.signal.throwIfAborted();
      stored.push((await executionsOf(server(), id)).length);
      queue.shift();
      if (number === 2) throw new Error('the connection broke');
      return undefined;
    });
    await server().saveFlow(aFlow(id, trigger('Poll', id)));
    await until(async () => expect(await logOf(server(), id)).toHaveLength(1));
    expect(stored).toEqual([1, 2]);
    expect(await executionsOf(server(), id)).toMatchObject([
      { trigger: { variables: { number: 1 } } },
      { trigger: { variables: { number: 2 } } },
    ]);
    expect(await logOf(server(), id)).toEqual([
      expect.stringMatching(/^WARN .*may be delivered again: the connection broke$/),
    ]);
    expect((await rowOf(server(), id))?.memo?.failures).toBeUndefined();
  });

  test('start one execution per poll at most', async () => {
    const id = anId();
    let polled = 0;
    polls.set(id, async (context) => {
      if (++polled > 1) return undefined;
      await context.emit({ number: 1 });
      await context.emit({ number: 2 });
      return undefined;
    });
    await server().saveFlow(aFlow(id, trigger('Poll', id)));
    await until(() => expect(polled).toBeGreaterThan(1));
    expect(await executionsOf(server(), id)).toHaveLength(1);
    expect(await logOf(server(), id)).toEqual([expect.stringContaining('one execution at most')]);
  });
});
