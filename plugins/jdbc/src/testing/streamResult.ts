/**
 * A process that stores a large result and prints the memory it used: `node streamResult.ts <type>
 * <properties as JSON>`. Its heap is limited by the test that starts it. Linux only: memory is read from /proc.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasker, createOutboundClient, type TaskContext } from '@millrace/plugin-kit';
import { ProcessHelper } from '@millrace/plugin-scripts';
import { jdbcFamily } from '../index.ts';

const [type, properties = '{}'] = process.argv.slice(2);
const definition = jdbcFamily.types.find((each) => each.type === type);
if (definition?.kind !== 'task' || definition.role !== 'task') throw new Error(`There is no task ${type}.`);

let bytes = 0;
let childMegabytes = 0;
const startedAt = performance.now();

/** The largest resident set of a process so far. */
function peakOf(id: number | string): number {
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** The processes that these have started, and those that they have started. */
function descendants(ids: readonly number[]): number[] {
  const children = ids.flatMap((id) => {
    try {
      return readdirSync(`/proc/${id}/task`)
        .flatMap((thread) => readFileSync(`/proc/${id}/task/${thread}/children`, 'utf8').split(' '))
        .filter((text) => text !== '')
        .map(Number);
    } catch {
      return []; // it has ended
    }
  });
  return children.length === 0 ? [] : [...children, ...descendants(children)];
}

const watch = setInterval(() => {
  for (const id of descendants([process.pid]))
    try {
      // The compiler of these tests is no process of the task.
      if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('esbuild'))
        childMegabytes = Math.max(childMegabytes, peakOf(id));
    } catch {
      // it has ended
    }
}, 500);
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
clearInterval(watch);
const seconds = Math.round((performance.now() - startedAt) / 1000);
process.stdout.write(
  JSON.stringify({ ...outputs, bytes, seconds, peakMegabytes: peakOf(process.pid), childMegabytes }),
);
process.exit(0);
