import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flows, flowTests } from '@millrace/contract';
import { clientOptions, connect } from '../client/options.ts';
import { startProgress } from '../client/progress.ts';
import { tell } from '../client/tell.ts';
import { CommandFailure, defineCommand, exitCodes } from '../command.ts';

const pageSize = 100;
/** A name that comes from a server decides where a file is written here: it may be nothing but a name. */
const safeName = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

export const flowExport = defineCommand({
  name: 'flow export',
  summary: 'Write the sources of flows and of their tests into a folder, one file each',
  usage: 'DIR',
  positionals: { min: 1, max: 1 },
  options: {
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NAMESPACE',
      help: 'only this namespace and those below it',
    },
    ...clientOptions,
  },
  run: async ({ values, positionals: [folder = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    await mkdir(folder, { recursive: true });
    let progress: ReturnType<typeof startProgress> | undefined;
    let written = 0;
    for (let page = 1; ; page++) {
      const query = { page, size: pageSize, namespace: values.namespace, sort: ['namespace:asc', 'id:asc'] };
      const { results, total } = await client.call(flows.searchFlows, { query });
      progress ??= startProgress(surroundings, total);
      for (const { namespace, id } of results) {
        const name = `${namespace}-${id}.yml`;
        if (!safeName.test(name)) throw new CommandFailure(`The server sent a flow with the name "${name}".`);
        const params = { namespace, id };
        const { source = '' } = await client.call(flows.getFlow, { params, query: { source: true } });
        await writeFile(join(folder, name), source);
        progress.step(name);
        written++;
      }
      if (results.length < pageSize) break;
    }
    progress?.end();
    let tests = 0;
    for (let page = 1; ; page++) {
      const query = { page, size: pageSize, namespace: values.namespace };
      const { results } = await client.call(flowTests.listTestSuites, { query });
      for (const { namespace, id, source } of results) {
        const name = `${namespace}-${id}.test.yml`;
        if (!safeName.test(name))
          throw new CommandFailure(`The server sent a test suite with the name "${name}".`);
        await writeFile(join(folder, name), source);
        tests++;
      }
      if (results.length < pageSize) break;
    }
    const suites = tests === 0 ? '' : ` and ${tests} test suite${tests === 1 ? '' : 's'}`;
    const line = `${written} flow${written === 1 ? '' : 's'}${suites} written to ${folder}`;
    tell(values, surroundings, line, { written, tests, folder });
    return exitCodes.done;
  },
});
