import type { TaskContext } from '@millrace/plugin-kit';
import {
  anything,
  collectOutputFiles,
  defineTask,
  duration,
  flag,
  mapOf,
  TaskFailed,
  toInnerPath,
  writeInputFiles,
} from '@millrace/plugin-kit';
import { ScriptLog } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { openClient, type Resource } from '../cluster/client.ts';
import { labelsOf, mapIn, podNameOf, withContainerDefaults } from './manifest.ts';
import { addFiles } from './podFiles.ts';
import { clusterProperties, resumeProperty } from './podProperties.ts';
import type { Pod } from './podStatus.ts';
import { metadataOf, metadataOutput } from './resourceOutput.ts';
import { mainStatuses, runPod } from './runPod.ts';

const folder = '/kestra/working-dir';

export const podCreate = defineTask({
  type: 'kubernetes.core.PodCreate',
  aliases: ['kubernetes.PodCreate'],
  title: 'Run a pod',
  description: `Creates a pod, logs what its containers write, and waits for their end. A container that fails, fails the task; killing the
task deletes the pod.

\`inputFiles\` are copied into the folder \`${folder}\` of the pod before its containers start, and \`outputFiles\` out of it after
they have ended. Expressions in \`spec\` know the folder as \`workingDir\` and each output file as \`outputFiles.<name>\`. A line
\`::{"outputs": {"name": "value"}}::\` of a container returns a value, reached by \`outputs.<task>.vars.name\`.`,
  input: () =>
    z.object({
      ...clusterProperties,
      metadata: mapOf(anything())
        .optional()
        .describe('The metadata of the pod; its name is generated when absent.'),
      spec: mapOf(anything()).describe(
        'The specification of the pod. `restartPolicy` is `Never` when absent.',
      ),
      delete: flag().default(true).describe('Delete the pod at the end.'),
      resume: resumeProperty(),
      waitForLogInterval: duration()
        .prefault('PT30S')
        .describe('How long to wait for the rest of the log after the containers have ended.'),
    }),
  raw: ['connection', 'metadata', 'spec'],
  output: z.object({
    metadata: metadataOutput,
    status: z
      .record(z.string(), z.unknown())
      .describe('The last status of the pod: `phase`, `containerStatuses` and the rest.'),
    outputFiles: z
      .record(z.string(), z.string())
      .describe('The collected files and their URIs in internal storage.'),
    vars: z
      .record(z.string(), z.unknown())
      .describe('What the containers printed as `::{"outputs": {…}}::`.'),
  }),
  sideEffects: true,
  examples: [
    {
      title: 'Run a job in the cluster with a file, and keep the file it writes.',
      runs: false,
      code: `id: kubernetes_pod
namespace: company.team

tasks:
  - id: count
    type: kubernetes.core.PodCreate
    namespace: jobs
    inputFiles:
      words.txt: one two three
    outputFiles:
      - count.txt
    spec:
      containers:
        - name: main
          image: busybox
          command: ["sh", "-c", "wc -w < {{ workingDir }}/words.txt > {{ outputFiles['count.txt'] }}"]
`,
    },
  ],
  async run(context, input) {
    const client = await openClient(context, input);
    const hasInputs = input.inputFiles !== undefined;
    const hasOutputs = input.outputFiles.length > 0;
    const local = hasInputs || hasOutputs ? await context.workingDirectory() : undefined;
    if (local !== undefined && input.inputFiles !== undefined)
      await writeInputFiles(context, local, input.inputFiles);
    const logs = new Map<string, ScriptLog>();
    const pod = await runPod(context, client, {
      namespace: input.namespace,
      manifest: await toManifest(context, input),
      folder,
      ...(hasInputs && local !== undefined && { inputs: local }),
      ...(hasOutputs && local !== undefined && { outputs: local }),
      waitUntilRunningMs: input.waitUntilRunning,
      waitRunningMs: input.waitRunning,
      waitForLogMs: input.waitForLogInterval,
      resume: input.resume,
      delete: input.delete,
      graceMs: 0,
      takeLog: (container, chunk) => {
        const log = logs.get(container) ?? new ScriptLog(context);
        logs.set(container, log);
        return log.onStdout(chunk);
      },
    });
    for (const log of logs.values()) await log.end();
    const outputs = {
      metadata: metadataOf(pod),
      status: { ...pod.status },
      outputFiles: local === undefined ? {} : await collectOutputFiles(context, local, input.outputFiles),
      vars: Object.assign({}, ...[...logs.values()].map(({ vars }) => vars)) as Record<string, unknown>,
    };
    const problem = problemOf(pod);
    if (problem !== undefined) throw new TaskFailed(problem, { outputs });
    return outputs;
  },
});

type Input = z.infer<ReturnType<typeof schemaOf>>;
const schemaOf = () =>
  z.object({ ...clusterProperties, metadata: mapOf(anything()).optional(), spec: mapOf(anything()) });

async function toManifest(context: TaskContext, input: Input): Promise<Resource> {
  const paths = input.outputFiles.map((name) => [name, `${folder}/${toInnerPath(name)}`] as const);
  const variables = { workingDir: folder, outputFiles: Object.fromEntries(paths) };
  const metadata = mapIn(await context.renderTyped(input.metadata ?? {}, variables));
  const spec = { restartPolicy: 'Never', ...mapIn(await context.renderTyped(input.spec, variables)) };
  const named = metadata.name === undefined && metadata.generateName === undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(named && { name: podNameOf(context.run) }),
      ...metadata,
      namespace: input.namespace,
      labels: { ...mapIn(metadata.labels), ...labelsOf(context.run) },
    },
    spec: addFiles(withContainerDefaults(spec, input.containerDefaultSpec), {
      folder,
      hasInputs: input.inputFiles !== undefined,
      hasOutputs: input.outputFiles.length > 0,
      sidecar: input.fileSidecar,
    }),
  };
}

/** Why the pod failed, from the status of its containers. */
function problemOf(pod: Pod): string | undefined {
  const failures = mainStatuses(pod).flatMap(({ name, state }) => {
    const end = state.terminated;
    if (!end || end.exitCode === 0) return [];
    const said = [end.reason, end.message?.trim()].filter((text) => text && text !== 'Error').join(': ');
    return [`the container "${name}" ended with exit code ${end.exitCode}${said === '' ? '' : ` (${said})`}`];
  });
  if (failures.length > 0) return `The pod "${pod.metadata.name}" failed: ${failures.join('; ')}.`;
  if (pod.status.phase !== 'Failed') return undefined;
  const why = [pod.status.reason, pod.status.message].filter(Boolean).join(': ');
  return `The pod "${pod.metadata.name}" failed${why === '' ? '' : `: ${why}`}.`;
}
