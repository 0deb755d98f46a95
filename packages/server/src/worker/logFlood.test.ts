import { describe, expect, test } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

const megabyte = 1_048_576;
const lineCount = 104_858;
/** 100 MB in lines of a thousand bytes, each with its number. */
const flood = `seq -f "%0999.0f" ${lineCount}`;
const line = (number: number) => String(number).padStart(999, '0');
/** The number of lines that fit into 16 MB. */
const stored = 16_794;

describe.each(databases)('a script that prints 100 MB, on $name', (database) => {
  const shared = sharedServer(database, { env: { PATH: process.env.PATH ?? '' } });

  test('[A18] leaves the server healthy and the log readable', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(
      aFlow(
        id,
        `tasks:\n  - id: s\n    type: scripts.shell.Commands\n    commands:\n      - ${flood}\n      - echo done\n`,
      ),
    );
    const before = process.memoryUsage().rss;
    const { id: executionId } = await server.start(id);
    const responseMs: number[] = [];
    let mostRss = 0;
    let hasEnded = false;
    const end = server.waitForState(executionId, 'SUCCESS', 'FAILED', 'WARNING').finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      const asked = performance.now();
      expect((await server.app.inject('/health')).statusCode).toBe(200);
      responseMs.push(performance.now() - asked);
      mostRss = Math.max(mostRss, process.memoryUsage().rss);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const execution = await end;
    expect(stateOf(execution)).toBe('SUCCESS');
    // On an idle machine a response takes a few milliseconds; tests share theirs. A blocked event loop shows minutes.
    expect(Math.max(...responseMs)).toBeLessThan(20_000);
    expect(mostRss - before).toBeLessThan(200 * megabyte);

    await server.product.logs.flush();
    const { body } = await server.call('GET', `/logs/${executionId}?minLevel=INFO`);
    const lines = (body as unknown as { message: string }[]).map(({ message }) => message);
    expect(lines.slice(0, 2)).toEqual([line(1), line(2)]);
    expect(lines[stored - 1]).toBe(line(stored));
    expect(lines[stored]).toMatch(/^This attempt has logged 16,777,216 characters\. /);
    expect(lines[stored + 1]).toMatch(
      /^… 87,065 lines with 86,977,\d{3} characters are left out here; they are in millrace:/,
    );
    expect(lines.slice(-2)).toEqual([line(lineCount), 'done']);
    expect(lines).toHaveLength(stored + 2 + 1_000);

    // Lines that are not in the log are in the file.
    const attempts = taskRunsOf(execution)[0]?.attempts as { logFile: string }[] | undefined;
    const uri = encodeURIComponent(String(attempts?.[0]?.logFile));
    const metas = await server.call('GET', `/executions/${executionId}/file/metas?path=${uri}`);
    const stamp = '2026-01-01T00:00:00.000Z INFO '.length;
    const size = (lineCount - stored) * (1_000 + stamp) + stamp + 'done\n'.length;
    expect(metas.body).toEqual({ size });
    const preview = await server.call('GET', `/executions/${executionId}/file/preview?path=${uri}&maxRows=1`);
    expect(preview.body.content).toContain(`INFO ${line(stored + 1)}`);
  }, 120_000);
});
