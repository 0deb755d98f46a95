/**
 * A process that stores a large result and prints the memory it used: `node streamResult.ts <type>
 * <properties as JSON>`. Its heap is limited by the test that starts it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasker, createOutboundClient, type TaskContext } from '@millrace/plugin-kit';
import { ProcessHelper } from '@millrace/plugin-scripts';
import { jdbcFamily } from '../index.ts';

const [type, properties = '{}'] = process.argv.slice(2);
const definition = jdbcFamily.types.find((each) => each.type === type);
if (definition?.kind !== 'task' || definition.role !== 'task') throw new Error(`There is no task ${type}.`);

let bytes = 0;
let peakBytes = 0;
const startBytes = process.memoryUsage().rss;
const outbound = createOutboundClient();
const helper = new ProcessHelper();
const folder = mkdtempSync(join(tmpdir(), 'millrace-stream-'));
const { signal } = new AbortController();
const context: Partial<TaskContext> = {
  signal,
  masker: createMasker(),
  metric: () => {},
  log: () => {},
  workingDirectory: async () => folder,
  spawn: (request) => helper.spawn({ ...request, signal: request.signal ?? signal }),
  connect: (request) => outbound.connect(request),
  render: async (value) => value,
  // Counts the stored bytes and yields after each chunk, like a slow disk.
  files: {
    put: async (_, content) => {
      if (typeof content === 'string' || content instanceof Uint8Array)
        throw new Error('The result must stream.');
      for await (const chunk of content) {
        bytes += chunk.length;
        peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return 'millrace:///stored';
    },
    read: () => Promise.reject(new Error('Nothing is read here.')),
    sizeOf: async () => undefined,
    delete: async () => false,
    deleteOfExecution: async () => [],
  },
};
// `as`: a query that stores its rows needs no more of a context.
const outputs = await definition.run(context as TaskContext, definition.input.parse(JSON.parse(properties)));
await helper.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ ...outputs, bytes, growthBytes: peakBytes - startBytes }));
process.exit(0);
