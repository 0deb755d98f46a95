import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { afterAll, describe, expect, it } from 'vitest';
import { aTerminal } from '../../testing/aTerminal.ts';

const flow = `id: tested
namespace: company.team
tasks:
  - {id: hello, type: core.log.Log, message: Hello}
`;
const suite = (expected: string) => `id: greets
namespace: company.team
flowId: tested
testCases: [{id: says, assertions: [{taskId: hello, log: ${expected}}]}]
`;

describe('flow test on files of tests', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const tests = join(folder.path, 'greets.test.yml');
  const junit = join(folder.path, 'reports/junit.xml');

  it('A-6.8 runs the tests of a folder, writes JUnit XML, and fails with 1 when an assertion fails', async () => {
    writeFileSync(join(folder.path, 'flow.yml'), flow);
    writeFileSync(tests, suite('Hello'));
    const good = await aTerminal()('flow', 'test', folder.path, '--junit', junit);
    expect(good).toEqual({
      code: 0,
      out: 'passed   company.team.greets says\n\n1 test, 0 failed, 1 of 1 tasks covered\n',
      err: '',
    });
    expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="company.team.tested" name="says"');
    writeFileSync(tests, suite('Goodbye'));
    const bad = await aTerminal()('flow', 'test', tests, '--junit', junit);
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('expected log "Goodbye", got ["Hello"]');
    expect(readFileSync(junit, 'utf8')).toContain('<failure message=');
  });

  it('names the file and the line of a suite that cannot be read, and a flow that is missing', async () => {
    writeFileSync(tests, 'id: greets\n');
    expect(await aTerminal()('flow', 'test', tests)).toMatchObject({
      code: 1,
      err: expect.stringContaining('greets.test.yml:1 is not a valid test suite: namespace'),
    });
    writeFileSync(tests, suite('Hello').replace('flowId: tested', 'flowId: other'));
    const missing = await aTerminal()('flow', 'test', tests);
    expect(missing).toMatchObject({ code: 1, out: expect.stringContaining('There is no flow "other"') });
    expect(await aTerminal()('flow', 'test', tests, '--input', 'a=b')).toMatchObject({ code: 2 });
  });
});
