import {
  choice,
  type Definition,
  defineTask,
  dropMissing,
  duration,
  flag,
  integer,
  listOf,
  part,
  TaskFailed,
  text,
  waitFor,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const stepProperty = () =>
  part({
    name: text().describe('The name of the step.'),
    jar: text().describe('The JAR, such as `command-runner.jar` or an address in S3.'),
    mainClass: text().optional().describe('The main class of the JAR.'),
    commands: listOf(text()).optional().describe('Arguments, each line split at spaces.'),
    actionOnFailure: choice([
      'TERMINATE_CLUSTER',
      'CANCEL_AND_WAIT',
      'CONTINUE',
      'TERMINATE_JOB_FLOW',
    ]).describe('What happens when the step fails.'),
  });
type Step = z.infer<ReturnType<typeof stepProperty>>;

const toStep = ({ name, jar, mainClass, commands = [], actionOnFailure }: Step) => ({
  Name: name,
  ActionOnFailure: actionOnFailure,
  HadoopJarStep: {
    Jar: jar,
    Args: commands.flatMap((line) => line.split(/\s+/).filter((word) => word !== '')),
    ...dropMissing({ MainClass: mainClass }),
  },
});

const Cluster = z.object({
  Cluster: z.looseObject({
    Status: z.looseObject({
      State: z.string(),
      StateChangeReason: z.looseObject({ Message: z.string().nullish() }).nullish(),
    }),
  }),
});

const stepLines = [
  'steps:',
  '  - name: count',
  '    jar: command-runner.jar',
  '    actionOnFailure: CONTINUE',
  '    commands:',
  '      - spark-submit s3://my-bucket/count.py',
];

const create = defineTask({
  type: 'aws.emr.CreateClusterAndSubmitSteps',
  title: 'Create an EMR cluster and run steps',
  description: `Creates a cluster that runs steps and, unless \`keepJobFlowAliveWhenNoSteps\` is set, ends after them. With \`wait\` the task ends when the cluster has
ended or waits for more steps; a cluster that ends with errors fails it.`,
  input: () =>
    z.object({
      ...taskConnection,
      clusterName: text().describe('The name of the cluster.'),
      releaseLabel: text().default('emr-5.20.0').describe('The release of EMR.'),
      steps: listOf(stepProperty()).optional().describe('The steps.'),
      applications: listOf(text()).optional().describe('Applications to install, such as `Spark`.'),
      logUri: text().optional().describe('Where logs are kept in S3.'),
      jobFlowRole: text().default('EMR_EC2_DefaultRole').describe('The role of the machines.'),
      serviceRole: text().default('EMR_DefaultRole').describe('The role of the service.'),
      visibleToAllUsers: flag().default(true).describe('Show the cluster to all users of the account.'),
      masterInstanceType: text().describe('The type of the main machine.'),
      slaveInstanceType: text().describe('The type of the other machines.'),
      instanceCount: integer({ min: 1 }).describe('How many machines there are.'),
      keepJobFlowAliveWhenNoSteps: flag().default(false).describe('Keep the cluster after its steps.'),
      ec2KeyName: text().optional().describe('The key pair for SSH.'),
      ec2SubnetId: text().optional().describe('The subnet.'),
      wait: flag().default(false).describe('Wait until the steps are done.'),
      completionCheckInterval: duration()
        .prefault('PT10S')
        .describe('The pause between two questions about its state.'),
      waitUntilCompletion: duration().prefault('PT1H').describe('How long to wait at most.'),
    }),
  output: () => z.object({ jobFlowId: z.string().describe('The id of the cluster.') }),
  sideEffects: true,
  examples: [
    taskExample('aws.emr.CreateClusterAndSubmitSteps', 'Run a Spark job on a cluster for it alone.', [
      'clusterName: count',
      'releaseLabel: emr-7.5.0',
      'applications:',
      '  - Spark',
      'masterInstanceType: m5.xlarge',
      'slaveInstanceType: m5.xlarge',
      'instanceCount: 3',
      ...stepLines,
      'wait: true',
    ]),
  ],
  async run(context, input) {
    const client = await openClient(context, input, 'emr');
    const { JobFlowId: jobFlowId } = await client.json(
      'RunJobFlow',
      {
        Name: input.clusterName,
        ReleaseLabel: input.releaseLabel,
        JobFlowRole: input.jobFlowRole,
        ServiceRole: input.serviceRole,
        VisibleToAllUsers: input.visibleToAllUsers,
        Instances: {
          MasterInstanceType: input.masterInstanceType,
          SlaveInstanceType: input.slaveInstanceType,
          InstanceCount: input.instanceCount,
          KeepJobFlowAliveWhenNoSteps: input.keepJobFlowAliveWhenNoSteps,
          ...dropMissing({ Ec2KeyName: input.ec2KeyName, Ec2SubnetId: input.ec2SubnetId }),
        },
        ...dropMissing({
          Steps: input.steps?.map(toStep),
          Applications: input.applications?.map((Name) => ({ Name })),
          LogUri: input.logUri,
        }),
      },
      z.object({ JobFlowId: z.string() }),
      { once: true },
    );
    if (input.wait) {
      const waiting = {
        intervalMs: input.completionCheckInterval,
        maxMs: input.waitUntilCompletion,
        what: `The cluster ${jobFlowId}`,
      };
      const { State, StateChangeReason } = await waitFor(context, waiting, async () => {
        const { Cluster: cluster } = await client.json('DescribeCluster', { ClusterId: jobFlowId }, Cluster);
        return /^(WAITING|TERMINATED)/.test(cluster.Status.State) ? cluster.Status : undefined;
      });
      if (State === 'TERMINATED_WITH_ERRORS')
        throw new TaskFailed(
          `The cluster ${jobFlowId} ended with errors: ${StateChangeReason?.Message ?? 'no reason given'}`,
          { outputs: { jobFlowId } },
        );
    }
    return { jobFlowId };
  },
});

const submit = defineTask({
  type: 'aws.emr.SubmitSteps',
  title: 'Add steps to an EMR cluster',
  description: 'Adds steps to a running cluster. The task does not wait for them.',
  input: () =>
    z.object({
      ...taskConnection,
      clusterId: text().describe('The id of the cluster.'),
      steps: listOf(stepProperty(), { min: 1 }).describe('The steps.'),
      executionRoleArn: text().optional().describe('The role of the steps.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    taskExample('aws.emr.SubmitSteps', 'Run a Spark job.', ['clusterId: j-1234567890ABC', ...stepLines]),
  ],
  async run(context, { clusterId, steps, executionRoleArn, ...connection }) {
    const client = await openClient(context, connection, 'emr');
    const input = {
      JobFlowId: clusterId,
      Steps: steps.map(toStep),
      ...dropMissing({ ExecutionRoleArn: executionRoleArn }),
    };
    await client.json('AddJobFlowSteps', input, z.unknown(), { once: true });
    return {};
  },
});

const remove = defineTask({
  type: 'aws.emr.DeleteCluster',
  title: 'Terminate EMR clusters',
  description: 'Terminates clusters. The task does not wait for their end.',
  input: () =>
    z.object({
      ...taskConnection,
      clusterIds: listOf(text(), { min: 1 }).describe('The ids of the clusters.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [taskExample('aws.emr.DeleteCluster', 'End a cluster.', ['clusterIds:', '  - j-1234567890ABC'])],
  async run(context, { clusterIds, ...connection }) {
    const client = await openClient(context, connection, 'emr');
    await client.json('TerminateJobFlows', { JobFlowIds: clusterIds }, z.unknown());
    return {};
  },
});

export const emrTypes: readonly Definition[] = [create, submit, remove];
