import { temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { daily, executionsOf } from './scheduler/testing/scheduledFlows.ts';
import { aFlow } from './testing/aFlow.ts';
import { aServer, stateOf } from './testing/aServer.ts';
import { aTerminal } from './testing/aTerminal.ts';
import { databases, sqlite } from './testing/databases.ts';
import { arrivals, openDoor } from './testing/testTasks.ts';

describe.each(databases)('a quiet start on $name', (database) => {
  /** A server with a running execution and a schedule stops; another one starts quietly a day later. */
  async function aQuietServer(door: string) {
    const folder = temporaryFolder();
    const prepared = await database.prepare(folder.path);
    onTestFinished(async () => {
      await prepared.remove();
      folder.remove();
    });
    const time = { now: Date.parse('2025-03-01T00:00:00Z') };
    const start = (quietStart: boolean) =>
      aServer(sqlite, {
        clock: () => time.now,
        settings: { data: folder.path, server: { quietStart } },
        ...(prepared.url === undefined ? {} : { databaseUrl: prepared.url }),
      });
    const before = await start(false);
    await before.saveFlow(aFlow('open', `tasks:\n  - id: wait\n    type: test.Door\n    door: ${door}\n`));
    await before.saveFlow(aFlow('scheduled', daily()));
    await before.saveFlow(
      aFlow(
        'hooked',
        'triggers:\n  - id: hook\n    type: core.trigger.Webhook\n    key: long-enough-for-a-key\n',
      ),
    );
    const { id } = await before.start('open');
    await expect.poll(() => arrivals(door)).toBe(1);
    await before.close(0);
    time.now += 86_400_000;
    return { server: await start(true), id, start };
  }

  it('lets schedules, triggers and open executions wait until an operator ends it', async () => {
    const door = `quiet ${database.name}`;
    const { server, id } = await aQuietServer(door);
    expect((await server.call('GET', '/quiet-start')).body).toEqual({ isQuiet: true });
    expect((await server.call('GET', '/configs')).body).toMatchObject({ isQuietStart: true });
    // Calls that would start them are refused with an error that says what to do.
    for (const path of [
      '/executions/company.team/open',
      `/executions/${id}/kill`,
      '/executions/webhook/company.team/hooked/long-enough-for-a-key',
    ]) {
      const { status, body } = await server.call(path.endsWith('kill') ? 'DELETE' : 'POST', path);
      expect([path, status]).toEqual([path, 423]);
      expect(body.message).toContain('end the quiet start with "millrace activate"');
    }
    await server.product.scheduler.runDue();
    expect(await executionsOf(server, 'scheduled')).toEqual([]);
    expect(arrivals(door)).toBe(1);
    expect(stateOf(await server.read(id))).toBe('RUNNING');
    // Reading, saving and deleting work.
    await server.saveFlow(aFlow('another'));

    const origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const millrace = aTerminal({ MILLRACE_SERVER: origin });
    expect(await millrace('activate')).toMatchObject({
      code: 0,
      out: 'Schedules, triggers and open executions continue.\n',
    });
    expect((await millrace('activate')).out).toBe('The server is active already.\n');
    await expect.poll(() => arrivals(door)).toBe(2);
    openDoor(door);
    await server.waitForState(id, 'SUCCESS');
    await expect.poll(async () => (await executionsOf(server, 'scheduled')).length).toBe(1);
    expect(stateOf(await server.run('another'))).toBe('SUCCESS');
    expect((await server.call('GET', '/configs')).body).toMatchObject({ isQuietStart: false });
  });

  it('closes without having begun', async () => {
    const door = `closed ${database.name}`;
    const { server, id, start } = await aQuietServer(door);
    await server.close(0);
    expect(arrivals(door)).toBe(1);
    const next = await start(false);
    await expect.poll(() => arrivals(door)).toBe(2);
    openDoor(door);
    await next.waitForState(id, 'SUCCESS');
  });
});
