import { describe, expect, it } from 'vitest';
import type { Subject } from './opened.ts';
import { aFlow, aLog, anExecution, aTaskRun, aTrigger, insert, unique } from './records.ts';

const hostile: [string, string][] = [
  ['NUL', 'a\0b'],
  ['only NUL', '\0'],
  ['a lone surrogate', 'a\ud800b'],
  ['our own escape marker', '\u0001"x"'],
  ['quotes', `'"\`\\'; DROP TABLE executions; --`],
  ['array syntax', '{a,"b",NULL}'],
  ['the word NULL', 'NULL'],
  ['nothing', ''],
  ['unicode', '🦆 é e\u0301 \u202e 漢字 \u2028'],
  ['placeholders', '? $1 :a @b %s % _'],
  ['one megabyte', 'x'.repeat(1_000_000)],
];

export function hostileTests(subject: Subject): void {
  describe('hostile values', () => {
    it.each(hostile)('keeps %s in every text', async (_name, text) => {
      const store = subject();
      const short = text.slice(0, 200);
      const id = `${unique('h')}${short}`;
      const execution = anExecution({
        id,
        namespace: short,
        flowId: short,
        labels: [{ key: `k${short}`, value: short }],
        inputs: { text },
        outputs: { text },
      });
      const taskRun = aTaskRun(id, { value: text, outputs: { text } });
      const log = aLog({ executionId: id, namespace: short, message: text, taskId: short, thread: short });
      const flow = aFlow({ id, namespace: short, source: text, description: text });
      const trigger = aTrigger({ triggerId: id, namespace: short });
      const uniqueKey = `key${id}`;
      await store.commit([
        { op: 'execution.insert', execution, uniqueKey },
        { op: 'taskRun.put', taskRun },
        { op: 'event.append', executionId: id, seq: 1, at: 1, events: [{ text }] },
        { op: 'log.insert', log },
        { op: 'flow.insert', flow, expectRevision: 0 },
        { op: 'trigger.put', trigger },
        { op: 'setting.put', key: id, value: { text } },
      ]);
      expect(await store.getExecution(id)).toEqual({
        execution,
        taskRuns: [taskRun],
        version: 1,
        eventSeq: 1,
      });
      expect(await store.findExecutionByKey(uniqueKey)).toBe(id);
      expect((await store.listEvents(id))[0]?.events).toEqual([{ text }]);
      const [stored] = await store.listLogs({ executionId: id });
      expect(stored).toEqual({ ...log, id: stored?.id });
      expect(await store.getFlow(short, id)).toEqual(flow);
      expect(await store.getTrigger(short, trigger.flowId, id)).toEqual(trigger);
      expect(await store.getSetting(id)).toEqual({ text });
      const page = await store.listExecutions({
        page: 1,
        size: 10,
        filters: [
          { field: 'namespace', operation: 'EQUALS', value: short },
          { field: 'flowId', operation: 'IN', value: [short] },
          { field: 'labels', operation: 'EQUALS', value: { [`k${short}`]: short } },
        ],
      });
      expect(page.results.map((result) => result.execution.id)).toContain(id);
    });

    it.each(hostile)('survives %s as the value of every filter', async (_name, text) => {
      const store = subject();
      for (const operation of [
        'EQUALS',
        'NOT_EQUALS',
        'CONTAINS',
        'STARTS_WITH',
        'ENDS_WITH',
        'IN',
      ] as const) {
        for (const field of ['namespace', 'flowId']) {
          const filters = [{ field, operation, value: text }];
          await store.listExecutions({ page: 1, size: 1, filters });
          await store.searchLogs({ page: 1, size: 1, filters });
        }
      }
      await store.listExecutions({
        page: 1,
        size: 1,
        filters: [{ field: 'q', operation: 'EQUALS', value: text }],
      });
      await store.searchLogs({
        page: 1,
        size: 1,
        filters: [{ field: 'q', operation: 'EQUALS', value: text }],
      });
      await store.listFlows({ page: 1, size: 1, filters: [], source: text });
    });

    it('keeps keys that mean something to JavaScript', async () => {
      const store = subject();
      const inputs = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": null}');
      const execution = anExecution({ inputs, outputs: inputs });
      await store.commit([insert(execution)]);
      const stored = (await store.getExecution(execution.id))?.execution;
      expect(Object.keys(stored?.inputs ?? {})).toEqual(['__proto__', 'constructor', 'toString']);
      expect(JSON.stringify(stored?.outputs)).toBe(JSON.stringify(inputs));
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      const labels = JSON.parse('{"__proto__": "x"}');
      const page = await store.listExecutions({
        page: 1,
        size: 10,
        filters: [{ field: 'labels', operation: 'EQUALS', value: labels }],
      });
      expect(page.total).toBe(0);
    });
  });
}
