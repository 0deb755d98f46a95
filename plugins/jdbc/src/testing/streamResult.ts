/**
 * A process that stores a large result and prints the memory it used: `node streamResult.ts <type>
 * <properties as JSON>`. Its heap is limited by the test that starts it.
 */
import { createMasker, createOutboundClient, type TaskContext } from '@millrace/plugin-kit';
import { jdbcFamily } from '../index.ts';

const [type, properties = '{}'] = process.argv.slice(2);
const definition = jdbcFamily.types.find((each) => each.type === type);
if (definition?.kind !== 'task' || definition.role !== 'task') throw new Error(`There is no task ${type}.`);

let bytes = 0;
let peakBytes = 0;
const startBytes = process.memoryUsage().rss;
const outbound = createOutboundClient();
const context: Partial<TaskContext> = {
  signal: new AbortController().signal,
  masker: createMasker(),
  metric: () => {},
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
process.stdout.write(JSON.stringify({ ...outputs, bytes, growthBytes: peakBytes - startBytes }));
process.exit(0);
