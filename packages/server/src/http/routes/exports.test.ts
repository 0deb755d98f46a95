import { anExecution, aTaskRun, insert } from '@millrace/store/suite';
import { describe, expect, it } from 'vitest';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

describe.each(databases)('lists as files on $name', (database) => {
  const shared = sharedServer(database);
  const start = Date.UTC(2026, 0, 5);

  /** More rows than a page of the export, with texts that need care. */
  const fill = async (count: number) => {
    const namespace = `exports.${anId()}`;
    const { store } = shared().product;
    const executions = Array.from({ length: count }, (_, index) =>
      anExecution({
        id: `${namespace}-${String(index).padStart(4, '0')}`,
        namespace,
        flowId: index % 2 === 0 ? 'even' : 'odd',
        state: 'SUCCESS',
        start: start + index,
        inputs: { formula: '=1+1', text: 'a,"b"\nc' },
      }),
    );
    await store.commit(
      executions.flatMap((execution) => [
        insert(execution),
        {
          op: 'taskRun.put' as const,
          taskRun: aTaskRun(execution.id, {
            taskId: '=SUM(A1)',
            value: '@value',
            outputs: { n: 1 },
            state: execution.state,
          }),
        },
        {
          op: 'log.insert' as const,
          log: {
            tenantId: 'main',
            namespace,
            flowId: execution.flowId,
            executionId: execution.id,
            at: execution.originalCreatedAt,
            level: 'INFO' as const,
            message: `+line\nof "${execution.id}"`,
          },
        },
      ]),
    );
    return { namespace, executions };
  };
  const get = async (path: string) => {
    const answer = await shared().app.inject({ method: 'GET', url: `/api/v1/${path}` });
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
    return answer;
  };

  it('O-12.4 O-12.5 O-12.6 [A28] executions, task runs and logs hold every row once, and no formula', async () => {
    const { namespace, executions } = await fill(1_203);
    const query = `namespace=${namespace}&startDate=2026-01-01T00:00:00Z`;
    const ids = (rows: readonly { id?: string; executionId?: string }[]) =>
      rows.map((row) => row.executionId ?? row.id).sort();
    const expected = executions.map(({ id }) => id);

    for (const [list, key] of [
      ['executions', 'id'],
      ['taskruns', 'executionId'],
      ['logs', 'executionId'],
    ] as const) {
      const json = await get(`${list}/export/by-query/json?${query}`);
      expect(json.headers['content-disposition']).toContain(`filename="${list}.json"`);
      expect(ids(json.json())).toEqual(expected);
      const csv = await get(`${list}/export/by-query/csv?${query}`);
      expect(csv.headers['content-type']).toContain('text/csv');
      const rows = parseCsv(csv.body);
      expect(rows.map((row) => row[key]).sort()).toEqual(expected);
      const risky = rows.flatMap((row) => Object.values(row)).filter((text) => /^[=+@-]/.test(text));
      expect(risky).toEqual([]);
    }
    const [row] = parseCsv((await get(`executions/export/by-query/csv?${query}&sort=id:asc`)).body);
    expect(row?.id).toBe(expected[0]);
    expect(JSON.parse(row?.inputs ?? '')).toEqual({ formula: '=1+1', text: 'a,"b"\nc' });
  });

  it('O-12.4 follow the filters of the list, and have only the header line where nothing matches', async () => {
    const { namespace } = await fill(4);
    const query = `namespace=${namespace}&flowId=odd&startDate=2026-01-01T00:00:00Z`;
    for (const list of ['executions', 'taskruns', 'logs']) {
      const { body } = await get(`${list}/export/by-query/json?${query}`);
      expect([list, JSON.parse(body).length]).toEqual([list, 2]);
      expect((await get(`${list}/export/by-query/json?namespace=no.where`)).json()).toEqual([]);
      const whole = (await get(`${list}/export/by-query/csv?${query}`)).body;
      const empty = (await get(`${list}/export/by-query/csv?namespace=no.where`)).body;
      expect(empty).toMatch(/^\w+(,\w+)+\r\n$/);
      expect(whole.startsWith(empty)).toBe(true);
      expect((await get(`${list}/export/by-query/csv?${query}&bom=true`)).rawPayload).toEqual(
        Buffer.from(`\ufeff${whole}`),
      );
      const refused = await shared().call('GET', `/${list}/export/by-query/json?filters[x][EQUALS]=1`);
      expect(refused.status).toBe(422);
    }
  });
});

/** A separate reader, so that the test does not share a mistake with the writer. */
function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r]*))(,|\r\n)/gy;
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
  }
  const [header = [], ...data] = rows;
  return data
    .filter((row) => row.length > 0)
    .map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}
