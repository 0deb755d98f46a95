import { startServices, testCalls } from '@millrace/plugin-saas/testing';
import { expect } from 'vitest';
import { signatureProblem } from '../testing/checkSignature.ts';
import { dataartsTypes } from './dataarts.ts';
import { mrsTypes } from './mrs.ts';

startServices();

const project = 'HUAWEI_PROJECT_ID';
const at = (service: string) => `https://${service}.eu-west-101.myhuaweicloud.com`;
const runs = `${at('dayu-dlf')}/v2/${project}/factory/supplement-data`;
const aRun = (status: string) => ({
  rows: [
    {
      name: 'P_orders',
      status,
      job_list: ['orders'],
      start_date: 1_769_900_400_000,
      end_date: 1_769_986_799_000,
      submitted_date: 1_770_000_000_000,
      parallel: 1,
      user_name: 'ada',
    },
  ],
});
const shownRun = (status: string) => ({
  runName: 'P_orders',
  status,
  jobList: ['orders'],
  startDate: '2026-01-31T23:00:00.000Z',
  endDate: '2026-02-01T22:59:59.000Z',
  submittedDate: '2026-02-02T02:40:00.000Z',
  parallel: 1,
  userName: 'ada',
});
const startRun = {
  name: 'P_orders',
  job_name: 'orders',
  start_date: '2026-01-31T00:00:00 +01',
  end_date: '2026-01-31T23:59:59 +01',
  parallel: 1,
  is_day_granularity: true,
  is_stop_when_fail: true,
};
const cluster = 'a1b2c3d4-0000-4000-8000-000000000000';
const jobs = `${at('mrs')}/v2/${project}/clusters/${cluster}/job-executions`;
const sparkJob = { job_type: 'SparkSql', job_name: 'report', arguments: ['select 1'] };
const node = (name: string, count: number) => ({
  group_name: name,
  node_num: count,
  node_size: 's3.2xlarge.4.linux.mrs',
  root_volume: { type: 'SATA', size: 40 },
  data_volume: { type: 'SATA', size: 100 },
  data_volume_count: 1,
});
const fast = { interval: 'PT0.01S' };

testCalls([...dataartsTypes, ...mrsTypes], {
  headers: { 'x-project-id': project },
  verify: (received) => expect(signatureProblem(received, () => 'HUAWEI_SECRET_ACCESS_KEY')).toBeUndefined(),
  cases: [
    {
      type: 'huawei.dataarts.GetJobRun',
      with: { workspaceId: 'w1' },
      exchanges: [
        {
          asks: `GET ${at('dayu-dlf')}/v1/${project}/jobs/instances/detail?jobName=orders&preciseQuery=true&limit=100`,
          headers: { workspace: 'w1' },
          replies: {
            total: 2,
            instances: [
              { jobName: 'orders', instanceId: 1, status: 'fail', planTime: 1 },
              {
                jobName: 'orders',
                instanceId: 2,
                jobInstanceName: 'orders_2',
                status: 'success',
                planTime: 1_770_000_000_000,
                executeTime: 4000,
                jobId: 9,
              },
            ],
          },
        },
      ],
      gives: {
        jobName: 'orders',
        instanceId: 2,
        jobInstanceName: 'orders_2',
        status: 'success',
        planTime: '2026-02-02T02:40:00.000Z',
        executeTime: 'PT4S',
        jobId: 9,
      },
    },
    {
      type: 'huawei.dataarts.GetJobRun',
      when: 'of one instance',
      with: { instanceId: 7 },
      exchanges: [
        {
          asks: `GET ${at('dayu-dlf')}/v1/${project}/jobs/orders/instances/7`,
          replies: { jobName: 'orders', instanceId: 7, status: 'running' },
        },
      ],
      gives: { jobName: 'orders', instanceId: 7, status: 'running' },
    },
    {
      type: 'huawei.dataarts.StartJobRun',
      with: { runName: 'P_orders', ...fast },
      exchanges: [
        { asks: `POST ${runs}`, sends: startRun },
        { asks: `GET ${runs}?name=P_orders&size=100`, replies: { rows: [] } },
        { asks: `GET ${runs}?name=P_orders&size=100`, replies: aRun('RUNNING') },
        { asks: `GET ${runs}?name=P_orders&size=100`, replies: aRun('SUCCESS') },
      ],
      gives: { jobName: 'orders', ...shownRun('SUCCESS') },
    },
    {
      type: 'huawei.dataarts.StartJobRun',
      when: 'that is canceled',
      with: { runName: 'P_orders', ...fast },
      exchanges: [
        { asks: `POST ${runs}`, sends: startRun },
        { asks: `GET ${runs}?name=P_orders&size=100`, replies: aRun('CANCEL') },
      ],
      fails: 'Run "P_orders" of job "orders" ended in the state CANCEL.',
    },
    {
      type: 'huawei.dataarts.StopJobRun',
      with: { runName: 'P_orders' },
      exchanges: [
        { asks: `POST ${runs}/P_orders/stop`, sends: {}, status: 204 },
        { asks: `GET ${runs}?name=P_orders&size=100`, replies: aRun('CANCEL') },
      ],
      gives: shownRun('CANCEL'),
    },
    {
      type: 'huawei.mrs.SubmitJob',
      with: fast,
      exchanges: [
        {
          asks: `POST ${jobs}`,
          sends: sparkJob,
          replies: { job_submit_result: { job_id: 'j1', state: 'COMPLETE' } },
        },
        { asks: `GET ${jobs}/j1`, replies: { job_detail: { job_state: 'RUNNING' } } },
        {
          asks: `GET ${jobs}/j1`,
          replies: { job_detail: { job_state: 'FINISHED', job_result: 'SUCCEEDED' } },
        },
      ],
      gives: { jobId: 'j1', jobState: 'FINISHED' },
    },
    {
      type: 'huawei.mrs.SubmitJob',
      when: 'that fails',
      exchanges: [
        { asks: `POST ${jobs}`, sends: sparkJob, replies: { job_submit_result: { job_id: 'j1' } } },
        {
          asks: `GET ${jobs}/j1`,
          replies: { job_detail: { job_name: 'report', job_state: 'FINISHED', job_result: 'FAILED' } },
        },
      ],
      fails: 'The job "report" of MRS ended in the state FINISHED: FAILED',
    },
    {
      type: 'huawei.mrs.CreateClusterAndSubmitJob',
      with: fast,
      exchanges: [
        {
          asks: `POST ${at('mrs')}/v2/${project}/run-job-flow`,
          sends: {
            cluster_version: 'MRS 3.1.5',
            cluster_name: 'nightly',
            cluster_type: 'ANALYSIS',
            region: 'eu-west-101',
            vpc_name: 'data',
            subnet_name: 'data-1',
            components: 'Hadoop,Spark2x,Hive',
            availability_zone: 'eu-west-101a',
            safe_mode: 'SIMPLE',
            manager_admin_password: 'MRS_PASSWORD',
            login_mode: 'PASSWORD',
            node_root_password: 'MRS_PASSWORD',
            delete_when_no_steps: true,
            node_groups: [node('master_node_default_group', 2), node('node_group_1', 3)],
            steps: [{ job_execution: sparkJob }],
          },
          replies: { cluster_id: cluster },
        },
        {
          asks: `GET ${at('mrs')}/v1.1/${project}/cluster_infos/${cluster}`,
          replies: { cluster: { clusterState: 'starting' } },
        },
        {
          asks: `GET ${at('mrs')}/v1.1/${project}/cluster_infos/${cluster}`,
          replies: { cluster: { clusterState: 'running' } },
        },
        { asks: `GET ${jobs}`, replies: { job_list: [{ job_id: 'j1' }] } },
      ],
      gives: { clusterId: cluster, clusterState: 'running', jobIds: ['j1'] },
    },
    {
      type: 'huawei.mrs.DeleteCluster',
      exchanges: [{ asks: `DELETE ${at('mrs')}/v1.1/${project}/clusters/${cluster}`, status: 204 }],
      gives: { clusterId: cluster },
    },
  ],
});
