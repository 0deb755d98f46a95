import {
  choice,
  dropMissing,
  integer,
  listOf,
  mapIn,
  mapOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { may, need, out, type Property, preset, type RestClient, waitFor } from '@millrace/plugin-saas/rest';
import { huaweiService, projectOf, regionOf, type Types } from '../client/connection.ts';

const service = huaweiService('MapReduce Service', 'mrs');

/** The names that the service uses for the types of jobs. */
const jobTypes = {
  MAP_REDUCE: 'MapReduce',
  SPARK_SUBMIT: 'SparkSubmit',
  HIVE_SCRIPT: 'HiveScript',
  HIVE_SQL: 'HiveSql',
  DIST_CP: 'DistCp',
  SPARK_SCRIPT: 'SparkScript',
  SPARK_SQL: 'SparkSql',
  FLINK: 'Flink',
} as const;

interface Job {
  readonly jobType: keyof typeof jobTypes;
  readonly jobName: string;
  readonly arguments?: string[] | undefined;
  readonly properties?: Record<string, string> | undefined;
}

const jobSchema = () =>
  part({
    jobType: choice([
      'MAP_REDUCE',
      'SPARK_SUBMIT',
      'HIVE_SCRIPT',
      'HIVE_SQL',
      'DIST_CP',
      'SPARK_SCRIPT',
      'SPARK_SQL',
      'FLINK',
    ]).describe('The type of the job.'),
    jobName: text().describe('The name of the job.'),
    arguments: listOf(text()).optional().describe('The arguments: program, classes, options, statement.'),
    properties: mapOf(text()).optional().describe('Properties of the program.'),
  });

const toJob = (job: Job) =>
  dropMissing({
    job_type: jobTypes[job.jobType],
    job_name: job.jobName,
    arguments: job.arguments,
    properties: job.properties,
  });

const finalStates = new Set(['FINISHED', 'FAILED', 'KILLED', 'FAILED_TO_SUBMIT', 'ERROR']);

interface Waiting {
  readonly interval: number;
  readonly maxDuration: number;
}

const submitJob = service.task({
  type: 'mrs.SubmitJob',
  title: 'Run a job on an MRS cluster',
  description:
    'Submits a job of Spark, Hive, Flink or MapReduce and waits for its end. A job that fails makes the task fail; a task that is killed stops the job.',
  properties: {
    clusterId: need.text('The id of the cluster.'),
    job: { schema: () => jobSchema().describe('The job.') } satisfies Property<Job>,
    wait: preset.flag(true, 'Wait for the end. When false, the task ends as soon as the job is submitted.'),
    maxDuration: preset.duration('PT1H', 'The longest wait; the task fails afterwards.'),
    interval: preset.duration('PT5S', 'The pause between two polls of the state of the job.'),
  },
  output: { jobId: out.text('The id of the job.'), jobState: out.text('The state of the job.') },
  run: async (client, input, context) => {
    const jobs = `/v2/${await projectOf(context, input)}/clusters/${encodeURIComponent(input.clusterId)}/job-executions`;
    const started = await client.ask({ method: 'POST', path: jobs, body: toJob(input.job) });
    const jobId = textOf(mapIn(started.job_submit_result).job_id);
    if (jobId === undefined)
      throw new TaskFailed(
        `MRS did not start the job: ${textOf(started.error_msg) ?? JSON.stringify(started)}`,
      );
    if (!input.wait)
      return { jobId, jobState: textOf(mapIn(started.job_submit_result).state) ?? 'SUBMITTED' };
    return { jobId, jobState: await waitForJob(client, context, `${jobs}/${jobId}`, input) };
  },
  example: {
    clusterId: 'a1b2c3d4-0000-4000-8000-000000000000',
    job: { jobType: 'SPARK_SQL', jobName: 'report', arguments: ['select 1'] },
  },
});

async function waitForJob(client: RestClient, context: TaskContext, path: string, limits: Waiting) {
  const end = await waitFor(context, {
    what: 'The job of MRS',
    everyMs: limits.interval,
    atMostMs: limits.maxDuration,
    poll: async () => {
      const job = mapIn((await client.ask({ path })).job_detail);
      return finalStates.has(textOf(job.job_state) ?? '') ? job : undefined;
    },
  }).catch(async (error: unknown) => {
    if (context.signal.aborted)
      await client.send({ method: 'POST', path: `${path}/kill`, body: {}, afterKill: true }).catch(() => {});
    throw error;
  });
  const state = textOf(end.job_state) ?? '';
  // A job that has run to its end may still have failed.
  if (state !== 'FINISHED' || (end.job_result !== undefined && end.job_result !== 'SUCCEEDED'))
    throw new TaskFailed(
      `The job "${end.job_name}" of MRS ended in the state ${state}: ${end.job_result ?? ''}`,
    );
  return state;
}

interface NodeGroup {
  readonly groupName: string;
  readonly nodeNum: number;
  readonly nodeSize: string;
  readonly rootVolumeType: string;
  readonly rootVolumeSize: number;
  readonly dataVolumeType: string;
  readonly dataVolumeSize: number;
  readonly dataVolumeCount: number;
}

const nodeGroups: Property<NodeGroup[]> = {
  schema: () =>
    listOf(
      part({
        groupName: text().describe('The name of the group, such as `master_node_default_group`.'),
        nodeNum: integer({ min: 1 }).describe('How many nodes.'),
        nodeSize: text().describe('The flavor of the nodes.'),
        rootVolumeType: text().default('SATA').describe('The type of the system disk.'),
        rootVolumeSize: integer({ min: 1 }).default(40).describe('The size of the system disk in GB.'),
        dataVolumeType: text().default('SATA').describe('The type of the data disks.'),
        dataVolumeSize: integer({ min: 1 }).default(100).describe('The size of a data disk in GB.'),
        dataVolumeCount: integer({ min: 0 }).default(1).describe('How many data disks a node has.'),
      }),
    ).describe('The groups of nodes.'),
};

const createCluster = service.task({
  type: 'mrs.CreateClusterAndSubmitJob',
  title: 'Create an MRS cluster and run jobs on it',
  description:
    'Creates a cluster, waits until it runs, and submits the jobs of `steps`. With `deleteWhenNoSteps` the service deletes the cluster after the last job.',
  properties: {
    clusterName: need.text('The name of the cluster.'),
    clusterVersion: need.text('The version, such as `MRS 3.1.5`.'),
    clusterType: need.choice(['ANALYSIS', 'STREAMING', 'MIXED', 'CUSTOM'], 'The type of the cluster.'),
    components: need.texts('The components, such as `Hadoop`, `Spark2x` and `Hive`.'),
    steps: {
      schema: () => listOf(jobSchema()).optional().describe('The jobs.'),
    } satisfies Property<Job[] | undefined>,
    availabilityZone: need.text('The availability zone.'),
    vpcName: need.text('The name of the VPC.'),
    subnetId: may.text('The id of the subnet; `subnetId` or `subnetName` must be given.'),
    subnetName: may.text('The name of the subnet.'),
    securityGroupsId: may.text('The id of the security group; one is created when absent.'),
    nodeGroups,
    safeMode: preset.choice(['SIMPLE', 'KERBEROS'], 'SIMPLE', 'How users are authenticated.'),
    loginMode: need.choice(['PASSWORD', 'PUBLICKEY'], 'How to log in to the nodes.'),
    managerAdminPassword: need.secret('The password of the administrator of MRS Manager.'),
    nodeRootPassword: may.secret('The password of root on the nodes, for `PASSWORD`.'),
    nodeKeypairName: may.text('The name of the key pair, for `PUBLICKEY`.'),
    deleteWhenNoSteps: preset.flag(false, 'Delete the cluster after the last job.'),
    enterpriseProjectId: may.text('The id of the enterprise project.'),
    logUri: may.text('The OBS address for logs.'),
    wait: preset.flag(
      true,
      'Wait until the cluster runs. When false, the task ends as soon as it is requested.',
    ),
    maxDuration: preset.duration('PT30M', 'The longest wait; the task fails afterwards.'),
    interval: preset.duration('PT15S', 'The pause between two polls of the state of the cluster.'),
  },
  output: {
    clusterId: out.text('The id of the cluster.'),
    clusterState: out.text('The state of the cluster.'),
    jobIds: out.texts('The ids of the jobs.'),
  },
  run: async (client, input, context) => {
    const project = await projectOf(context, input);
    const created = await client.ask({
      method: 'POST',
      path: `/v2/${project}/run-job-flow`,
      body: toCluster(input),
    });
    const clusterId = textOf(created.cluster_id);
    if (clusterId === undefined)
      throw new TaskFailed(`MRS did not create the cluster: ${JSON.stringify(created)}`);
    if (!input.wait) return { clusterId };
    const clusterState = await waitFor(context, {
      what: `Cluster "${input.clusterName}"`,
      everyMs: input.interval,
      atMostMs: input.maxDuration,
      poll: async () => {
        const cluster = mapIn(
          (await client.ask({ path: `/v1.1/${project}/cluster_infos/${clusterId}` })).cluster,
        );
        const state = textOf(cluster.clusterState) ?? '';
        if (/failed|abnormal|terminated/i.test(state))
          throw new TaskFailed(
            `Cluster "${input.clusterName}" is ${state}: ${textOf(cluster.errorInfo) ?? ''}`,
          );
        return state === 'running' ? state : undefined;
      },
    });
    const { job_list: jobs } = await client.ask({
      path: `/v2/${project}/clusters/${clusterId}/job-executions`,
    });
    const jobIds = (Array.isArray(jobs) ? jobs : []).map((job) => textOf(mapIn(job).job_id) ?? '');
    return { clusterId, clusterState, jobIds };
  },
  example: {
    clusterName: 'nightly',
    clusterVersion: 'MRS 3.1.5',
    clusterType: 'ANALYSIS',
    components: ['Hadoop', 'Spark2x', 'Hive'],
    availabilityZone: 'eu-west-101a',
    vpcName: 'data',
    subnetName: 'data-1',
    nodeGroups: [
      { groupName: 'master_node_default_group', nodeNum: 2, nodeSize: 's3.2xlarge.4.linux.mrs' },
      { groupName: 'node_group_1', nodeNum: 3, nodeSize: 's3.2xlarge.4.linux.mrs' },
    ],
    loginMode: 'PASSWORD',
    managerAdminPassword: "{{ secret('MRS_PASSWORD') }}",
    nodeRootPassword: "{{ secret('MRS_PASSWORD') }}",
    deleteWhenNoSteps: true,
    steps: [{ jobType: 'SPARK_SQL', jobName: 'report', arguments: ['select 1'] }],
  },
});

interface Cluster {
  readonly region?: string | undefined;
  readonly clusterName: string;
  readonly clusterVersion: string;
  readonly clusterType: string;
  readonly components: string[];
  readonly steps?: Job[] | undefined;
  readonly availabilityZone: string;
  readonly vpcName: string;
  readonly subnetId?: string | undefined;
  readonly subnetName?: string | undefined;
  readonly securityGroupsId?: string | undefined;
  readonly nodeGroups: NodeGroup[];
  readonly safeMode: string;
  readonly loginMode: string;
  readonly managerAdminPassword: string;
  readonly nodeRootPassword?: string | undefined;
  readonly nodeKeypairName?: string | undefined;
  readonly deleteWhenNoSteps: boolean;
  readonly enterpriseProjectId?: string | undefined;
  readonly logUri?: string | undefined;
}

function toCluster(input: Cluster) {
  if (input.subnetId === undefined && input.subnetName === undefined)
    throw new TaskFailed('One of "subnetId" and "subnetName" must be given.', { retry: false });
  return dropMissing({
    cluster_version: input.clusterVersion,
    cluster_name: input.clusterName,
    cluster_type: input.clusterType,
    region: regionOf(input.region),
    vpc_name: input.vpcName,
    subnet_id: input.subnetId,
    subnet_name: input.subnetName,
    components: input.components.join(','),
    availability_zone: input.availabilityZone,
    security_groups_id: input.securityGroupsId,
    safe_mode: input.safeMode,
    manager_admin_password: input.managerAdminPassword,
    login_mode: input.loginMode,
    node_root_password: input.nodeRootPassword,
    node_keypair_name: input.nodeKeypairName,
    enterprise_project_id: input.enterpriseProjectId,
    log_uri: input.logUri,
    delete_when_no_steps: input.deleteWhenNoSteps,
    node_groups: input.nodeGroups.map((group) => ({
      group_name: group.groupName,
      node_num: group.nodeNum,
      node_size: group.nodeSize,
      root_volume: { type: group.rootVolumeType, size: group.rootVolumeSize },
      data_volume: { type: group.dataVolumeType, size: group.dataVolumeSize },
      data_volume_count: group.dataVolumeCount,
    })),
    steps: (input.steps ?? []).map((job) => ({ job_execution: toJob(job) })),
  });
}

const deleteCluster = service.task({
  type: 'mrs.DeleteCluster',
  title: 'Delete an MRS cluster',
  description: 'Asks the service to delete a cluster. The task does not wait until it is gone.',
  properties: { clusterId: need.text('The id of the cluster.') },
  output: { clusterId: out.text('The id of the cluster.') },
  run: async (client, input, context) => {
    const project = await projectOf(context, input);
    await client.send({
      method: 'DELETE',
      path: `/v1.1/${project}/clusters/${encodeURIComponent(input.clusterId)}`,
    });
    return { clusterId: input.clusterId };
  },
  example: { clusterId: 'a1b2c3d4-0000-4000-8000-000000000000' },
});

export const mrsTypes: Types = [createCluster, deleteCluster, submitJob];
