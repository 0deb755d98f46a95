import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { executionFolder } from '../files/internalStorage.ts';
import { newId } from '../newId.ts';
import { aFlow } from '../testing/aFlow.ts';
import { aServer, type TestServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

const day = 86_400_000;

/** Writes a file and sets its age. */
async function aFile(server: TestServer, segments: readonly string[], ageDays: number): Promise<string> {
  const { files, config } = server.product;
  const uri = await files.put(segments, 'all of it');
  const at = new Date(Date.now() - ageDays * day);
  utimesSync(join(config.data, 'storage', uri.slice('millrace:///'.length)), at, at);
  return uri;
}

const folderOf = (namespace: string, flowId: string, executionId = newId()) =>
  executionFolder({ namespace, flowId, executionId });

describe.each(databases)('files without an execution on $name', (database) => {
  it('are removed once they are older than executions are kept; all others stay', async () => {
    const settings = { retention: { keep: 'P30D', namespaces: { 'company.audit': 'forever' } } };
    let now = Date.now();
    const server = await aServer(database, { settings, clock: () => now });
    const { files, namespaceFiles, janitor } = server.product;
    await server.saveFlow(aFlow('known'));
    const { id } = await server.run('known');
    const left = folderOf('company.team', 'known');
    const gone = [
      await aFile(server, [...left, 'inputs', 'a.txt'], 40),
      await aFile(server, [...left, 'tasks', 'b.txt'], 50),
      await aFile(server, [...folderOf('company.executions', 'odd'), 'c.txt'], 40),
    ];
    const halfNew = folderOf('company.team', 'known');
    const kept = [
      await aFile(server, [...folderOf('company.team', 'known', id), 'a.txt'], 40),
      await aFile(server, [...folderOf('company.team', 'known'), 'new.txt'], 20),
      await aFile(server, [...halfNew, 'old.txt'], 40),
      await aFile(server, [...halfNew, 'being-written.txt'], 0),
      await aFile(server, [...folderOf('company.audit', 'known'), 'a.txt'], 400),
      await aFile(server, ['company', 'team', 'known', 'states', 'a.txt'], 400),
      // A flow whose id looks like an execution's id, in a namespace named like the folder.
      await aFile(server, [...folderOf('company.team.executions', newId(), id), 'a.txt'], 40),
      await aFile(server, ['company', 'team', '_files', 'executions', newId(), 'a.txt'], 400),
    ];
    await namespaceFiles.write('company.team', 'mine.txt', [Buffer.from('mine')] as never);
    await janitor.runRound();
    const there = async (uris: readonly string[]) =>
      Promise.all(uris.map(async (uri) => [uri, await files.sizeOf(uri)]));
    expect(await there(gone)).toEqual(gone.map((uri) => [uri, undefined]));
    expect(await there(kept)).toEqual(kept.map((uri) => [uri, 9]));
    expect(await namespaceFiles.list('company.team')).toContain('mine.txt');
    // The storage is walked through once a day.
    const later = await aFile(server, [...folderOf('company.team', 'known'), 'a.txt'], 40);
    await janitor.runRound();
    expect(await files.sizeOf(later)).toBe(9);
    now += day;
    await janitor.runRound();
    expect(await files.sizeOf(later)).toBeUndefined();
  });

  it('stay while retention is switched off', async () => {
    const server = await aServer(database, { settings: { retention: { enabled: false } } });
    const uri = await aFile(server, [...folderOf('company.team', 'known'), 'a.txt'], 400);
    await server.product.janitor.runRound();
    expect(await server.product.files.sizeOf(uri)).toBe(9);
  });
});
