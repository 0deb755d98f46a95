import { describe, expect, it, vi } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { sharedServer, yaml } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { multipart } from '../testing/multipart.ts';

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('a full disk', () => {
  const shared = sharedServer(sqlite);

  it.each([
    ['SQLite', new Error('database or disk is full')],
    ['PostgreSQL', coded('could not extend file', '53100')],
    ['the file system', coded('ENOSPC: no space left on device, write', 'ENOSPC')],
    ['a quota', new Error('The unit failed.', { cause: coded('write', 'EDQUOT') })],
  ])('is 507 with a code when %s reports it, and the next request works', async (_, error) => {
    const { store } = shared().product;
    const commitAnyway = store.commit.bind(store);
    // Only the commit of the flow: the server commits in the background too.
    const commit = vi
      .spyOn(store, 'commit')
      .mockImplementation((ops) =>
        ops.some(({ op }) => op === 'flow.insert') ? Promise.reject(error) : commitAnyway(ops),
      );
    const { status, body } = await shared().call('POST', '/flows', yaml(aFlow('full')));
    commit.mockRestore();
    expect([status, body.code]).toEqual([507, 'insufficient-storage']);
    expect(body.message).toBe('Insufficient Storage: the disk of the server is full, nothing was stored');
    expect((await shared().call('POST', '/flows/validate', yaml(aFlow('full')))).status).toBe(200);
  });

  it('is 507 while a file of a form is stored', async () => {
    await shared().saveFlow(aFlow('takes', 'inputs:\n  - id: file\n    type: FILE\n'));
    const put = vi
      .spyOn(shared().product.files, 'put')
      .mockRejectedValueOnce(coded('ENOSPC: no space left on device, write', 'ENOSPC'));
    const { status, body } = await shared().call(
      'POST',
      '/executions/company.team/takes',
      multipart({ name: 'file', fileName: 'a.txt', content: 'abc' }),
    );
    put.mockRestore();
    expect([status, body.code]).toEqual([507, 'insufficient-storage']);
  });
});
