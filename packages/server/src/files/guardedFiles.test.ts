import { describe, expect, it, vi } from 'vitest';
import { anId, aServer, sharedServer, stateOf, type TestServer, taskRunsOf } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';

type Outputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Saves and runs a flow of a namespace; returns the outputs of its tasks and its log. */
async function run(server: TestServer, namespace: string, body: string, id = anId()) {
  await server.saveFlow(`id: ${id}\nnamespace: ${namespace}\n${body}`);
  const { body: execution } = await server.call('POST', `/executions/${namespace}/${id}?wait=true`);
  return { id, ...(await shown(server, execution)) };
}

async function shown(server: TestServer, execution: Record<string, unknown>) {
  const logs = await server.call('GET', `/logs/${String(execution.id)}`);
  const outputs = Object.fromEntries(taskRunsOf(execution).map((each) => [each.taskId, each.outputs ?? {}]));
  return { state: stateOf(execution), outputs: outputs as Outputs, logs: JSON.stringify(logs.body) };
}

async function* bytes(text: string) {
  yield Buffer.from(text);
}

const write = 'tasks:\n  - {id: write, type: core.storage.Write, content: hello, extension: .txt}\n';
const reading = (uri: string) =>
  `tasks:\n  - {id: t, type: core.debug.Return, format: "{{ read('${uri}') }}"}\n`;

describe.each(databases)('the files that a flow may use on $name', (database) => {
  const server = sharedServer(database);
  let last = 0;
  /** A namespace that no other test knows. */
  const aRoot = () => `guard${++last}`;
  const aFile = async (namespace: string) =>
    String((await run(server(), namespace, write)).outputs.write?.uri);

  it('[A9] [A22] a file of an unrelated namespace is refused, whatever way it is asked for', async () => {
    const uri = await aFile(aRoot());
    const other = aRoot();
    const ways: Record<string, string> = {
      read: reading(uri),
      'read under the older scheme': reading(uri.replace('millrace:', 'kestra:')),
      'read with dots': reading(uri.replace('///', `///${other}/x/../../`)),
      size: `tasks:\n  - {id: t, type: core.debug.Return, format: "{{ fileSize('${uri}') }}"}\n`,
      exists: `tasks:\n  - {id: t, type: core.debug.Return, format: "{{ fileExists('${uri}') }}"}\n`,
      'a task': `tasks:\n  - {id: t, type: core.storage.Size, uri: "${uri}"}\n`,
      'deleting it': `tasks:\n  - {id: t, type: core.storage.Delete, uri: "${uri}"}\n`,
      'an input file': `tasks:\n  - {id: t, type: scripts.shell.Commands, taskRunner: {type: core.runner.Process}, inputFiles: {a.txt: "${uri}"}, commands: [cat a.txt]}\n`,
      'a command': `tasks:\n  - {id: t, type: scripts.shell.Commands, taskRunner: {type: core.runner.Process}, commands: ["cat ${uri}"]}\n`,
    };
    for (const [way, flow] of Object.entries(ways)) {
      const { state, logs } = await run(server(), other, flow);
      expect([way, state]).toEqual([way, 'FAILED']);
      expect(logs, way).toMatch(/Unable to read the file|is not the address|must not|\.\./);
    }
    expect(await server().product.files.sizeOf(uri)).toBe(5);
  });

  it('nsfile:/// names a file of the namespace, and nsfile://namespace/ one of another', async () => {
    const [namespace, other] = [aRoot(), aRoot()];
    await server().product.namespaceFiles.write(namespace, 'data/a b.txt', bytes('hello'));
    const tasks = (uri: string) => `inputs:
  - {id: file, type: FILE, defaults: "${uri}"}
tasks:
  - {id: read, type: core.debug.Return, format: "{{ read(inputs.file) }}{{ fileSize(inputs.file) }}"}
  - {id: size, type: core.storage.Size, uri: "{{ inputs.file }}"}
  - {id: exists, type: core.debug.Return, format: "{{ fileExists('nsfile:///missing.txt') }}"}
outputs:
  - {id: file, type: FILE, value: "{{ inputs.file }}"}
`;
    const own = await run(server(), namespace, tasks('nsfile:///data/a b.txt'));
    expect([own.state, own.outputs], own.logs).toMatchObject([
      'SUCCESS',
      { read: { value: 'hello5' }, size: { size: 5 }, exists: { value: 'false' } },
    ]);
    const foreign = await run(server(), other, tasks(`nsfile://${namespace}/data/a b.txt`));
    expect([foreign.state, foreign.outputs.read], foreign.logs).toEqual(['SUCCESS', { value: 'hello5' }]);
    for (const uri of ['nsfile:///%2e%2e/x/a.txt', `nsfile://..${namespace}/data/a b.txt`])
      expect([uri, (await run(server(), other, reading(uri))).state]).toEqual([uri, 'FAILED']);
  });

  it('[A21] tasks cannot read the files that the server keeps for itself', async () => {
    const uri = await server().product.files.put(['cache', `${'0'.repeat(64)}.json`], '{"outputs":{}}');
    const { state, logs } = await run(server(), aRoot(), reading(uri));
    expect([state, logs]).toEqual(['FAILED', expect.stringContaining('belongs to no execution')]);
  });

  it('a namespace, those above and those below share their files', async () => {
    const root = aRoot();
    const uri = await aFile(`${root}.team`);
    for (const namespace of [`${root}.team`, root, `${root}.team.part`]) {
      const { state, outputs, logs } = await run(server(), namespace, reading(uri));
      expect([namespace, state, outputs.t?.value], logs).toEqual([namespace, 'SUCCESS', 'hello']);
    }
    expect((await run(server(), `${root}.other`, reading(uri))).state).toBe('FAILED');
    expect((await run(server(), `${root}.teams`, reading(uri))).state).toBe('FAILED');
  });

  it('callers and their subflows pass files on, down, up and sideways, across namespaces', async () => {
    const [caller, callee] = [aRoot(), aRoot()];
    const called = anId();
    await server().saveFlow(`id: ${called}
namespace: ${callee}
inputs: [{id: file, type: STRING}]
tasks:
  - {id: read, type: core.debug.Return, format: "{{ read(inputs.file) }}"}
  - {id: write, type: core.storage.Write, content: "{{ outputs.read.value }} there", extension: .txt}
outputs: [{id: file, type: STRING, value: "{{ outputs.write.uri }}"}]
`);
    const call = (id: string, file: string) =>
      `  - {id: ${id}, type: core.flow.Subflow, namespace: ${callee}, flowId: ${called}, inputs: {file: "{{ ${file} }}"}}\n`;
    const { state, outputs, logs } = await run(
      server(),
      caller,
      `${write}${call('down', 'outputs.write.uri')}${call('side', 'outputs.down.outputs.file')}  - {id: up, type: core.debug.Return, format: "{{ read(outputs.side.outputs.file) }}"}\n`,
    );
    expect([state, outputs.up?.value], logs).toEqual(['SUCCESS', 'hello there there']);
  });

  it('a flow that reacts to another one reads what that one has written', async () => {
    const [before, after] = [aRoot(), aRoot()];
    const [first, second] = [anId(), anId()];
    await server().saveFlow(`id: ${second}
namespace: ${after}
tasks:
  - {id: t, type: core.debug.Return, format: "{{ read(trigger.outputs.file) }}"}
triggers:
  - id: after
    type: core.trigger.Flow
    conditions: [{type: core.condition.ExecutionFlow, namespace: ${before}, flowId: ${first}}]
`);
    await run(
      server(),
      before,
      `${write}outputs: [{id: file, type: STRING, value: "{{ outputs.write.uri }}"}]\n`,
      first,
    );
    const { results } = await vi.waitFor(async () => {
      const { body } = await server().call('GET', `/executions/search?flowId=${second}&size=10`);
      const found = body as unknown as { results: Record<string, unknown>[] };
      expect(found.results.map(stateOf)).toEqual(['SUCCESS']);
      return found;
    }, 60_000);
    const execution = await server().read(String(results[0]?.id));
    expect((await shown(server(), execution)).outputs.t?.value).toBe('hello');
  });

  it('what a webhook says about who started it opens nothing', async () => {
    const { id: owner, outputs } = await run(server(), aRoot(), write);
    const uri = String(outputs.write?.uri);
    const [flow, namespace] = [anId(), aRoot()];
    await server().saveFlow(
      `id: ${flow}\nnamespace: ${namespace}\n${reading(uri)}triggers: [{id: hook, type: core.trigger.Webhook, key: key-of-the-hook}]\n`,
    );
    const executionId = /executions\/([^/]+)/.exec(uri)?.[1];
    await server().call('POST', `/executions/webhook/${namespace}/${flow}/key-of-the-hook`, {
      payload: JSON.stringify({ executionId, flowId: owner }),
      headers: { 'content-type': 'application/json' },
    });
    await vi.waitFor(async () => {
      const { body } = await server().call('GET', `/executions/search?flowId=${flow}&size=10`);
      expect((body.results as Record<string, unknown>[]).map(stateOf)).toEqual(['FAILED']);
    }, 60_000);
  });
});

it('a namespace can be shared with everyone', async () => {
  const server = await aServer(sqlite, { settings: { storage: { sharedNamespaces: ['common'] } } });
  const uri = String((await run(server, 'common.data', write)).outputs.write?.uri);
  expect((await run(server, 'elsewhere', reading(uri))).outputs.t?.value).toBe('hello');
  const hidden = String((await run(server, 'commons', write)).outputs.write?.uri);
  expect((await run(server, 'elsewhere', reading(hidden))).state).toBe('FAILED');
});
