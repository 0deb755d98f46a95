import { airflowTypes } from '../airflow/airflow.ts';
import { jenkinsTypes } from '../jenkins/jenkins.ts';
import { createMutation, labelQuery, linearTypes, teamQuery } from '../linear/linear.ts';
import { prefectTypes } from '../prefect/prefect.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { gitlabTypes } from './gitlab.ts';

startServices();

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const project = 'https://gitlab.com/api/v4/projects/acme%2Forders';

testCalls(gitlabTypes, {
  headers: { 'private-token': 'GITLAB_TOKEN' },
  cases: [
    {
      type: 'gitlab.issues.Create',
      exchanges: [
        {
          asks: `POST ${project}/issues`,
          sends: { title: 'The nightly load failed', labels: 'bug,nightly' },
          status: 201,
          replies: { id: 84, iid: 14, web_url: 'https://gitlab.com/acme/orders/-/issues/14' },
        },
      ],
      gives: { issueId: '14', webUrl: 'https://gitlab.com/acme/orders/-/issues/14', statusCode: 201 },
    },
    {
      type: 'gitlab.issues.Search',
      exchanges: [
        {
          asks: `GET ${project}/issues?search=load&state=opened&labels=bug&per_page=100`,
          replies: [{ iid: 14 }],
        },
      ],
      gives: { issues: [{ iid: 14 }], count: 1, statusCode: 200 },
    },
    {
      type: 'gitlab.mergerequests.Create',
      with: { url: 'https://git.example.com/' },
      exchanges: [
        {
          asks: 'POST https://git.example.com/api/v4/projects/acme%2Forders/merge_requests',
          sends: { title: 'New prices', source_branch: 'prices', target_branch: 'main' },
          status: 409,
          replies: { message: ['Another open merge request already exists'] },
        },
      ],
      fails: 'Another open merge request already exists',
    },
    {
      type: 'gitlab.mergerequests.Create',
      when: 'that is new',
      exchanges: [
        {
          asks: `POST ${project}/merge_requests`,
          sends: { title: 'New prices', source_branch: 'prices', target_branch: 'main' },
          status: 201,
          replies: { iid: 3, web_url: 'https://gitlab.com/acme/orders/-/merge_requests/3' },
        },
      ],
      gives: {
        mergeReqID: '3',
        webUrl: 'https://gitlab.com/acme/orders/-/merge_requests/3',
        statusCode: 201,
      },
    },
  ],
});

const job = 'https://jenkins.example.com/job/shop/job/deploy';

testCalls(jenkinsTypes, {
  headers: { authorization: basic('ada:JENKINS_TOKEN') },
  cases: [
    {
      type: 'jenkins.JobBuild',
      exchanges: [{ asks: `POST ${job}/buildWithParameters`, sends: { stage: 'production' }, status: 201 }],
      gives: { status: 201 },
    },
    {
      type: 'jenkins.JobInfo',
      exchanges: [{ asks: `GET ${job}/42/api/json`, replies: { result: 'SUCCESS' } }],
      gives: { info: { result: 'SUCCESS' } },
    },
  ],
});

const graphql = 'POST https://api.linear.app/graphql';
const team = {
  asks: graphql,
  sends: { query: teamQuery, variables: { name: 'Data' } },
  replies: { data: { teams: { nodes: [{ id: 't1' }] } } },
};
const label = (nodes: object[]) => ({
  asks: graphql,
  sends: { query: labelQuery, variables: { names: ['Bug'] } },
  replies: { data: { issueLabels: { nodes } } },
});

testCalls(linearTypes, {
  headers: { authorization: 'LINEAR_TOKEN' },
  cases: [
    {
      type: 'linear.issues.Create',
      exchanges: [
        team,
        label([{ id: 'l1', name: 'Bug' }]),
        {
          asks: graphql,
          sends: {
            query: createMutation,
            variables: {
              input: {
                teamId: 't1',
                title: 'The nightly load failed',
                description: 'See the log.',
                labelIds: ['l1'],
              },
            },
          },
          replies: { data: { issueCreate: { success: true, issue: { id: 'i1' } } } },
        },
      ],
      gives: { isSuccess: true, issueId: 'i1' },
    },
    {
      type: 'linear.issues.Create',
      when: 'with an unknown label',
      exchanges: [team, label([])],
      fails: 'Linear has no label "Bug".',
    },
  ],
});

const runs = 'https://airflow.example.com/api/v1/dags/nightly/dagRuns';
const dagRun = {
  dag_id: 'nightly',
  dag_run_id: 'manual 1',
  state: 'success',
  start_date: 'a',
  end_date: 'b',
};
const startDag = {
  asks: `POST ${runs}`,
  sends: { conf: { day: '2026-01-31' } },
  replies: { ...dagRun, state: 'queued' },
};

testCalls(airflowTypes, {
  headers: { authorization: basic('millrace:AIRFLOW_PASSWORD') },
  cases: [
    {
      type: 'airflow.dags.TriggerDagRun',
      exchanges: [startDag, { asks: `GET ${runs}/manual%201`, replies: dagRun }],
      gives: { dagId: 'nightly', dagRunId: 'manual 1', state: 'success', started: 'a', ended: 'b' },
    },
    {
      type: 'airflow.dags.TriggerDagRun',
      when: 'that fails',
      exchanges: [startDag, { asks: `GET ${runs}/manual%201`, replies: { ...dagRun, state: 'failed' } }],
      fails: 'The run manual 1 of nightly failed.',
    },
  ],
});

const workspace = 'https://api.prefect.cloud/api/accounts/a1/workspaces/w1';
const startFlow = {
  asks: `POST ${workspace}/deployments/d1/create_flow_run`,
  sends: { parameters: { day: '2026-01-31' } },
  status: 201,
  replies: { id: 'f1', state: { type: 'SCHEDULED' } },
};

testCalls(prefectTypes, {
  headers: { authorization: 'Bearer PREFECT_API_KEY' },
  cases: [
    {
      type: 'prefect.CreateFlowRun',
      with: { pollFrequency: 'PT0.01S' },
      exchanges: [
        startFlow,
        { asks: `GET ${workspace}/flow_runs/f1`, replies: { state: { type: 'RUNNING' } } },
        { asks: `GET ${workspace}/flow_runs/f1`, replies: { state: { type: 'COMPLETED' } } },
      ],
      gives: {
        flowRunId: 'f1',
        state: 'COMPLETED',
        flowRunUrl: 'https://app.prefect.cloud/account/a1/workspace/w1/runs/flow-run/f1',
      },
    },
    {
      type: 'prefect.CreateFlowRun',
      when: 'that crashes',
      exchanges: [
        startFlow,
        {
          asks: `GET ${workspace}/flow_runs/f1`,
          replies: { state: { type: 'CRASHED', message: 'no memory' } },
        },
      ],
      fails: 'The flow run f1 ended as CRASHED: no memory',
    },
  ],
});
