import type { RunnerEnd, TaskContext } from '@millrace/plugin-kit';
import {
  anything,
  choice,
  defineRunner,
  duration,
  flag,
  lineIcon,
  mapOf,
  part,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { openClient, type Resource } from './cluster/client.ts';
import { connectionProperties } from './cluster/connectionProperties.ts';
import { labelsOf, mergeDeep, podNameOf, withContainerDefaults } from './pod/manifest.ts';
import { addFiles } from './pod/podFiles.ts';
import { containerDefaultSpec, fileSidecar, resumeProperty } from './pod/podProperties.ts';
import { mainStatuses, runPod } from './pod/runPod.ts';

const mainContainer = 'main';
const amounts = (what: string) =>
  part({
    cpu: text().optional().describe('Processors, such as `500m`.'),
    memory: text().optional().describe('Memory, such as `512Mi`.'),
  })
    .optional()
    .describe(what);

const properties = () =>
  z.object({
    ...connectionProperties,
    namespace: text().default('default').describe('The namespace of the pods.'),
    labels: mapOf(text()).default({}).describe('More labels of the pod.'),
    annotations: mapOf(text()).default({}).describe('Annotations of the pod.'),
    serviceAccountName: text().optional().describe('The service account of the pod.'),
    pullPolicy: choice(['IF_NOT_PRESENT', 'ALWAYS', 'NEVER'])
      .default('IF_NOT_PRESENT')
      .describe('When the node pulls the image.'),
    nodeSelector: mapOf(text()).default({}).describe('Labels of the nodes that the pod may run on.'),
    resources: part({
      request: amounts('What the container is promised.'),
      limit: amounts('The most it may use.'),
    })
      .optional()
      .describe('Processors and memory of the container.'),
    podSpec: mapOf(anything())
      .default({})
      .describe('More of the specification of the pod, such as `tolerations`.'),
    containerSpec: mapOf(anything())
      .default({})
      .describe('More of the specification of the container, such as `envFrom`.'),
    containerDefaultSpec: containerDefaultSpec(),
    fileSidecar: fileSidecar(),
    waitUntilRunning: duration().prefault('PT10M').describe('How long the pod may take to start.'),
    waitUntilCompletion: duration().prefault('PT1H').describe('How long the pod may run.'),
    killGracePeriod: duration().prefault('PT0S').describe('How long a killed container may take to end.'),
    delete: flag().default(true).describe('Delete the pod at the end.'),
    resume: resumeProperty(),
  });
type RunnerInput = z.infer<ReturnType<typeof properties>>;

export const kubernetesRunner = defineRunner({
  type: 'kubernetes.runner.Kubernetes',
  aliases: ['io.kestra.plugin.ee.kubernetes.runner.Kubernetes'],
  title: 'Run in a Kubernetes pod',
  description: `Runs the script in a pod, so that work spreads over a cluster. The working directory is copied into the pod before the
script starts and back after its end; log lines arrive while it runs. Killing the task deletes the pod.

Kubernetes keeps one log for both streams of a container, so that lines of standard error are logged at INFO. The account needs
the permissions \`create\`, \`get\`, \`list\` and \`delete\` on \`pods\`, \`get\` on \`pods/log\`, and \`create\` and \`get\` on
\`pods/exec\`.`,
  icon: lineIcon('M12 3l8 4v10l-8 4-8-4V7z', 'M12 9v6', 'M9 10.500l6 3', 'M15 10.500l-6 3'),
  input: properties,
  raw: ['connection'],
  examples: [
    {
      title: 'Python in a pod with one processor.',
      runs: false,
      code: `id: in_a_pod
namespace: company.team

tasks:
  - id: hello
    type: scripts.python.Script
    containerImage: python:3.13-slim
    taskRunner:
      type: kubernetes.runner.Kubernetes
      namespace: jobs
      resources:
        request:
          cpu: "1"
          memory: 512Mi
    script: print("Hello from a pod")
`,
    },
  ],
  async run(context, input, job): Promise<RunnerEnd> {
    if (!job.containerImage)
      throw new TaskFailed('The Kubernetes runner needs "containerImage" in the task.', { retry: false });
    const client = await openClient(context, input);
    const folder = job.workingDirectory;
    const pod = await runPod(context, client, {
      namespace: input.namespace,
      manifest: toManifest(context, input, { ...job, containerImage: job.containerImage }),
      folder,
      inputs: folder,
      outputs: folder,
      waitUntilRunningMs: input.waitUntilRunning,
      waitRunningMs: input.waitUntilCompletion,
      waitForLogMs: 30_000,
      resume: input.resume,
      delete: input.delete,
      graceMs: input.killGracePeriod,
      takeLog: (_, chunk) => job.onStdout(chunk),
    });
    const end = mainStatuses(pod).find(({ name }) => name === mainContainer)?.state.terminated;
    if (!end) {
      const why = [pod.status.reason, pod.status.message].filter(Boolean).join(': ');
      throw new TaskFailed(`The pod "${pod.metadata.name}" was lost${why === '' ? '' : `: ${why}`}.`);
    }
    if (end.reason === 'OOMKilled') await context.log('ERROR', 'The container used more memory than it may.');
    return {
      exitCode: end.exitCode,
      signal: null,
      droppedBytes: { stdout: 0, stderr: 0 },
      details: { podName: pod.metadata.name },
    };
  },
});

interface ManifestJob {
  readonly command: readonly string[];
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly containerImage: string;
}

const pullPolicies = { IF_NOT_PRESENT: 'IfNotPresent', ALWAYS: 'Always', NEVER: 'Never' } as const;

function toManifest({ run }: TaskContext, input: RunnerInput, job: ManifestJob): Resource {
  const { request, limit } = input.resources ?? {};
  const container = mergeDeep(
    {
      name: mainContainer,
      image: job.containerImage,
      imagePullPolicy: pullPolicies[input.pullPolicy],
      command: job.command,
      workingDir: job.workingDirectory,
      env: Object.entries(job.env).map(([name, value]) => ({ name, value })),
      ...((request || limit) && {
        resources: { ...(request && { requests: request }), ...(limit && { limits: limit }) },
      }),
    },
    input.containerSpec,
  );
  const spec = mergeDeep(
    {
      restartPolicy: 'Never',
      ...(input.serviceAccountName !== undefined && { serviceAccountName: input.serviceAccountName }),
      ...(Object.keys(input.nodeSelector).length > 0 && { nodeSelector: input.nodeSelector }),
    },
    input.podSpec,
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podNameOf(run),
      namespace: input.namespace,
      labels: { ...input.labels, ...labelsOf(run) },
      annotations: input.annotations,
    },
    spec: addFiles(withContainerDefaults({ ...spec, containers: [container] }, input.containerDefaultSpec), {
      folder: job.workingDirectory,
      hasInputs: true,
      hasOutputs: true,
      sidecar: input.fileSidecar,
    }),
  };
}
