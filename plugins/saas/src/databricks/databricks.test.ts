import { startServices, testCalls } from '../testing/exchange.ts';
import { databricksTypes } from './databricks.ts';
import { databricksQuery } from './query.ts';

startServices();

const host = 'https://acme.cloud.databricks.com';
const task = {
  task_key: 'load',
  existing_cluster_id: '0131-080000-abc123',
  notebook_task: { notebook_path: '/Shared/load', base_parameters: { startDate: '2026-01-31' } },
};
const statement = {
  warehouse_id: '0123456789abcdef',
  statement: 'SELECT * FROM orders WHERE day = current_date()',
  catalog: 'main',
  schema: 'sales',
  disposition: 'EXTERNAL_LINKS',
  format: 'JSON_ARRAY',
  wait_timeout: '30s',
  on_wait_timeout: 'CONTINUE',
};

testCalls([...databricksTypes, databricksQuery], {
  headers: { authorization: 'Bearer DATABRICKS_TOKEN' },
  cases: [
    {
      type: 'databricks.cluster.CreateCluster',
      exchanges: [
        {
          asks: `POST ${host}/api/2.1/clusters/create`,
          sends: {
            cluster_name: 'nightly',
            spark_version: '15.4.x-scala2.12',
            node_type_id: 'i3.xlarge',
            autotermination_minutes: 30,
            num_workers: 2,
          },
          replies: { cluster_id: 'c1' },
        },
        { asks: `GET ${host}/api/2.1/clusters/get?cluster_id=c1`, replies: { state: 'RUNNING' } },
      ],
      gives: { clusterId: 'c1', clusterURI: `${host}/compute/clusters/c1`, clusterState: 'RUNNING' },
    },
    {
      type: 'databricks.cluster.CreateCluster',
      when: 'that does not start',
      with: { minWorkers: 1, maxWorkers: 4, authentication: { clientId: 'id', clientSecret: 'secret' } },
      exchanges: [
        {
          asks: `POST ${host}/oidc/v1/token`,
          sends: { grant_type: 'client_credentials', scope: 'all-apis' },
          headers: { authorization: `Basic ${Buffer.from('id:secret').toString('base64')}` },
          replies: { access_token: 'DATABRICKS_TOKEN' },
        },
        {
          asks: `POST ${host}/api/2.1/clusters/create`,
          sends: {
            cluster_name: 'nightly',
            spark_version: '15.4.x-scala2.12',
            node_type_id: 'i3.xlarge',
            autotermination_minutes: 30,
            autoscale: { min_workers: 1, max_workers: 4 },
          },
          replies: { cluster_id: 'c1' },
        },
        {
          asks: `GET ${host}/api/2.1/clusters/get?cluster_id=c1`,
          replies: { state: 'TERMINATED', state_message: 'No quota' },
        },
      ],
      fails: 'The cluster c1 is in state TERMINATED: No quota',
    },
    {
      type: 'databricks.cluster.DeleteCluster',
      exchanges: [
        {
          asks: `POST ${host}/api/2.1/clusters/permanent-delete`,
          sends: { cluster_id: '0131-080000-abc123' },
          replies: {},
        },
      ],
    },
    {
      type: 'databricks.dbfs.Upload',
      files: { file: 'a,b' },
      exchanges: [
        {
          asks: `POST ${host}/api/2.0/dbfs/create`,
          sends: { path: '/data/orders.csv', overwrite: true },
          replies: { handle: 7 },
        },
        { asks: `POST ${host}/api/2.0/dbfs/add-block`, sends: { handle: 7, data: 'YSxi' }, replies: {} },
        { asks: `POST ${host}/api/2.0/dbfs/close`, sends: { handle: 7 }, replies: {} },
      ],
      metrics: { 'file.size': 3 },
    },
    {
      type: 'databricks.dbfs.Download',
      exchanges: [
        {
          asks: `GET ${host}/api/2.0/dbfs/read?path=%2Fdata%2Forders.csv&offset=0&length=1048576`,
          replies: { bytes_read: 3, data: 'YSxi' },
        },
      ],
      stores: { uri: 'a,b' },
      metrics: { 'file.size': 3 },
    },
    {
      type: 'databricks.job.CreateJob',
      exchanges: [
        {
          asks: `POST ${host}/api/2.1/jobs/create`,
          sends: { name: 'nightly', tasks: [task] },
          replies: { job_id: 1 },
        },
        { asks: `POST ${host}/api/2.1/jobs/run-now`, sends: { job_id: 1 }, replies: { run_id: 2 } },
        {
          asks: `GET ${host}/api/2.1/jobs/runs/get?run_id=2`,
          replies: { state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' } },
        },
      ],
      gives: { jobId: 1, jobURI: `${host}/#job/1`, runId: 2, runURI: `${host}/#job/1/run/2` },
    },
    {
      type: 'databricks.job.SubmitRun',
      with: {
        runTasks: [
          {
            taskKey: 'load',
            dependsOn: ['first'],
            sparkPythonTask: {
              pythonFile: 'dbfs:/load.py',
              sparkPythonTaskSource: 'WORKSPACE',
              parameters: '["a"]',
            },
            libraries: [{ pypi: { _package: 'pandas' } }],
            sqlTask: { warehouseId: 'w1', queryId: 'q1' },
          },
        ],
      },
      exchanges: [
        {
          asks: `POST ${host}/api/2.1/jobs/runs/submit`,
          sends: {
            run_name: 'one_off',
            tasks: [
              {
                task_key: 'load',
                depends_on: [{ task_key: 'first' }],
                spark_python_task: { python_file: 'dbfs:/load.py', source: 'WORKSPACE', parameters: ['a'] },
                libraries: [{ pypi: { package: 'pandas' } }],
                sql_task: { warehouse_id: 'w1', query: { query_id: 'q1' } },
              },
            ],
          },
          replies: { run_id: 2 },
        },
        { asks: `GET ${host}/api/2.1/jobs/runs/get?run_id=2`, replies: { run_page_url: `${host}/run/2` } },
      ],
      gives: { runId: 2, runURI: `${host}/run/2` },
    },
    {
      type: 'databricks.sql.Query',
      exchanges: [
        {
          asks: `POST ${host}/api/2.0/sql/statements`,
          sends: statement,
          replies: { statement_id: 's1', status: { state: 'RUNNING' } },
        },
        {
          asks: `GET ${host}/api/2.0/sql/statements/s1`,
          replies: {
            status: { state: 'SUCCEEDED' },
            manifest: {
              schema: {
                columns: [
                  { name: 'id', type_name: 'LONG' },
                  { name: 'price', type_name: 'DECIMAL' },
                  { name: 'paid', type_name: 'BOOLEAN' },
                ],
              },
            },
            result: {
              external_links: [
                {
                  external_link: 'https://storage.example.com/chunk0',
                  next_chunk_internal_link: '/api/2.0/chunk/1',
                },
              ],
            },
          },
        },
        {
          asks: 'GET https://storage.example.com/chunk0',
          headers: { authorization: undefined },
          replies: [['1', '9.90', 'true']],
        },
        {
          asks: `GET ${host}/api/2.0/chunk/1`,
          replies: { data_array: [['9007199254740993', null, 'false']] },
        },
      ],
      gives: { size: 2 },
      stores: {
        uri: '{"id":1,"price":"9.90","paid":true}\n{"id":9007199254740993,"price":null,"paid":false}\n',
      },
      metrics: { 'fetch.size': 2 },
    },
    {
      type: 'databricks.sql.Query',
      when: 'with a wrong statement',
      exchanges: [
        {
          asks: `POST ${host}/api/2.0/sql/statements`,
          sends: statement,
          replies: {
            statement_id: 's1',
            status: { state: 'FAILED', error: { message: '[TABLE_OR_VIEW_NOT_FOUND] orders' } },
          },
        },
      ],
      fails: 'The statement ended as FAILED: [TABLE_OR_VIEW_NOT_FOUND] orders',
    },
  ],
});
