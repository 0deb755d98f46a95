import { type Family, type Group, lineIcon } from '@millrace/plugin-kit';
import { bigqueryTypes } from './bigquery/index.ts';
import { bigtableTypes } from './bigtable/index.ts';
import { computeTypes } from './compute/index.ts';
import { dataflowTypes } from './dataflow/index.ts';
import { dataprocTypes } from './dataproc/index.ts';
import { firestoreTypes } from './firestore/index.ts';
import { gcsTypes } from './gcs/index.ts';
import { monitoringTypes } from './monitoring/index.ts';
import { oauthAccessToken } from './others/auth.ts';
import { gcloudCli } from './others/cli.ts';
import { invokeWorkflow } from './others/dataform.ts';
import { httpFunction } from './others/function.ts';
import { clusterMetadata } from './others/gke.ts';
import { cloudLoggingExporter, gcsLogExporter } from './others/logExporters.ts';
import { pubsubTypes } from './pubsub/index.ts';
import { rcsTypes } from './rcs/index.ts';
import { batchRunner, cloudRunRunner } from './runner/runners.ts';
import { spannerTypes } from './spanner/index.ts';
import { vertexaiTypes } from './vertexai/index.ts';

const cloud = 'M7 18h10a4 4 0 0 0 .5-8A6 6 0 0 0 6 9a4.500 4.500 0 0 0 1 9';

const group = (name: string, title: string, description: string, ...paths: readonly string[]): Group => ({
  group: name === '' ? 'gcp' : `gcp.${name}`,
  title,
  description,
  icon: lineIcon(...(paths.length === 0 ? [cloud] : paths)),
  categories: ['CLOUD'],
});

const groups: readonly Group[] = [
  group('', 'Google Cloud', 'Storage, BigQuery, messages, models and machines of Google Cloud.'),
  group(
    'gcs',
    'Cloud Storage',
    'Files and buckets of Google Cloud Storage.',
    'M5 6h14l-2 14H7z',
    'M4 6c0-3 16-3 16 0',
    'M8 12h8',
  ),
  group(
    'bigquery',
    'BigQuery',
    'Queries, loads and tables of BigQuery.',
    'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14',
    'M16 16l4 4',
    'M8 11v3',
    'M11 9v5',
    'M14 12v2',
  ),
  group(
    'pubsub',
    'Pub/Sub',
    'Messages of Google Pub/Sub.',
    'M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
    'M12 10V4',
    'M10.300 13l-5.300 4',
    'M13.700 13l5.300 4',
  ),
  group(
    'auth',
    'Google authentication',
    'Tokens for calls of Google APIs.',
    'M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
    'M12 12h9',
    'M18 12v3',
  ),
  group(
    'cli',
    'Google Cloud CLI',
    'Commands of gcloud, gsutil and bq.',
    'M4 5h16v14H4z',
    'M7 9l3 3-3 3',
    'M12 15h5',
  ),
  group('firestore', 'Firestore', 'Documents of Firestore.', 'M6 4h8l4 4v12H6z', 'M9 12h6', 'M9 15h6'),
  group('function', 'Cloud Functions', 'Calls of functions.', 'M7 4L3 12l4 8', 'M17 4l4 8-4 8', 'M9 12h6'),
  group(
    'gke',
    'Google Kubernetes Engine',
    'Clusters of Kubernetes.',
    'M12 3l8 4.500v9L12 21l-8-4.500v-9z',
    'M12 9v6',
    'M9 12h6',
  ),
  group('vertexai', 'Vertex AI', 'Models and jobs of Vertex AI.', 'M12 4l2 6 6 2-6 2-2 6-2-6-6-2 6-2z'),
  group(
    'dataproc',
    'Dataproc',
    'Spark batches and clusters.',
    'M6 5h5v5H6z',
    'M13 14h5v5h-5z',
    'M8.500 10v6.500H13',
  ),
  group(
    'dataproc.batches',
    'Dataproc batches',
    'Spark batches without a cluster.',
    'M6 5h5v5H6z',
    'M13 14h5v5h-5z',
    'M8.500 10v6.500H13',
  ),
  group(
    'dataproc.clusters',
    'Dataproc clusters',
    'Clusters of machines for Spark.',
    'M4 6h7v5H4z',
    'M13 6h7v5h-7z',
    'M4 14h7v5H4z',
    'M13 14h7v5h-7z',
  ),
  group(
    'dataform',
    'Dataform',
    'Workflows of Dataform.',
    'M5 5h6v4H5z',
    'M13 10h6v4h-6z',
    'M5 15h6v4H5z',
    'M11 7h5v3',
    'M11 17h5v-3',
  ),
  group('dataflow', 'Dataflow', 'Jobs of Dataflow.', 'M4 7c4 0 4 5 8 5s4-5 8-5', 'M4 17c4 0 4-5 8-5s4 5 8 5'),
  group(
    'compute',
    'Compute Engine',
    'Virtual machines.',
    'M6 6h12v12H6z',
    'M9 3v3',
    'M15 3v3',
    'M9 18v3',
    'M15 18v3',
    'M3 9h3',
    'M3 15h3',
    'M18 9h3',
    'M18 15h3',
  ),
  group('monitoring', 'Cloud Monitoring', 'Metrics of Cloud Monitoring.', 'M3 12h4l3-7 4 14 3-7h4'),
  group(
    'spanner',
    'Spanner',
    'Queries and changes in Spanner.',
    'M12 4v6',
    'M12 10l-7 6',
    'M12 10l7 6',
    'M4 16h4v4H4z',
    'M16 16h4v4h-4z',
    'M10 3h4v3h-4z',
  ),
  group('bigtable', 'Bigtable', 'Rows of Bigtable.', 'M4 5h16v14H4z', 'M4 10h16', 'M10 5v14'),
  group('rcs', 'RCS Business Messaging', 'Messages to phones.', 'M8 3h8v18H8z', 'M11 18h2'),
  group('operationalsuite', 'Cloud Logging', 'Logs to Google Cloud.', 'M5 6h14', 'M5 12h9', 'M5 18h12'),
  {
    group: 'ee.gcp',
    title: 'Google Cloud task runners',
    description: 'Run script tasks on Google Batch and Cloud Run.',
    icon: lineIcon(cloud, 'M10 11l4 2.500-4 2.500z'),
    categories: ['CLOUD'],
  },
];

/** Google Cloud over its REST services. */
export const gcpFamily: Family = {
  name: 'gcp',
  groups,
  types: [
    ...gcsTypes,
    ...bigqueryTypes,
    ...pubsubTypes,
    oauthAccessToken,
    gcloudCli,
    ...firestoreTypes,
    ...vertexaiTypes,
    ...dataprocTypes,
    clusterMetadata,
    httpFunction,
    invokeWorkflow,
    ...dataflowTypes,
    ...computeTypes,
    ...monitoringTypes,
    ...spannerTypes,
    ...bigtableTypes,
    ...rcsTypes,
    batchRunner,
    cloudRunRunner,
    gcsLogExporter,
    cloudLoggingExporter,
  ],
};
