import { type Family, type Group, lineIcon } from '@millrace/plugin-kit';
import { batchJobCreate } from './batch/job.ts';
import { batchPoolResize } from './batch/pool.ts';
import { batchRunner } from './batch/runner.ts';
import { blobTypes } from './blob/tasks.ts';
import { serviceBusTypes } from './bus/tasks.ts';
import { cosmosTypes } from './cosmos/tasks.ts';
import { eventHubsTypes } from './hubs/tasks.ts';
import { lakeTypes } from './lake/tasks.ts';
import { oauthAccessToken } from './rest/auth.ts';
import { azCli } from './rest/cli.ts';
import { dataFactoryCreateRun } from './rest/dataFactory.ts';
import { httpFunction } from './rest/httpFunction.ts';
import { blobLogExporter, monitorLogExporter } from './rest/logExporters.ts';
import { logicAppsTypes } from './rest/logicApps.ts';
import { monitoringTypes } from './rest/monitoring.ts';
import { streamAnalyticsGetJob } from './rest/streamAnalytics.ts';
import { synapseSparkBatchJobCreate } from './rest/synapse.ts';
import { tableTypes } from './table/tasks.ts';

const cloud = 'M7 18a4 4 0 0 1-.500-8A6 6 0 0 1 18 9.500a4.300 4.300 0 0 1-.500 8.500z';

const group = (
  name: string,
  title: string,
  description: string,
  category: string,
  ...paths: string[]
): Group => ({
  group: `azure.${name}`,
  title,
  description,
  icon: lineIcon(...paths),
  categories: [category],
});

/** Services of Microsoft Azure. */
export const azureFamily: Family = {
  name: 'azure',
  groups: [
    {
      group: 'azure',
      title: 'Azure',
      description: 'Services of Microsoft Azure.',
      icon: lineIcon(cloud, 'M9 14h6'),
      categories: ['CLOUD'],
    },
    group(
      'storage',
      'Azure Storage',
      'Blobs, data lakes, tables and Cosmos DB.',
      'STORAGE',
      'M4 6h16v5H4z',
      'M4 13h16v5H4z',
      'M8 8.500h1',
      'M8 15.500h1',
    ),
    group(
      'storage.blob',
      'Blob Storage',
      'Files in containers, with a trigger for new ones.',
      'STORAGE',
      'M6 3h8l4 4v14H6z',
      'M14 3v4h4',
      'M9 13h6',
    ),
    group(
      'storage.adls',
      'Data Lake Storage',
      'Files in directories, with a trigger for new ones.',
      'STORAGE',
      'M3 7l9-4 9 4-9 4z',
      'M3 12c3-2 6 2 9 0s6 2 9 0',
      'M3 17c3-2 6 2 9 0s6 2 9 0',
    ),
    group(
      'storage.cosmosdb',
      'Cosmos DB',
      'Items in containers, queried in SQL.',
      'DATABASE',
      'M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16z',
      'M3 15c4 1 14-3 18-8',
    ),
    group(
      'storage.table',
      'Table Storage',
      'Entities in tables.',
      'DATABASE',
      'M4 5h16v14H4z',
      'M4 10h16',
      'M10 10v9',
    ),
    group(
      'servicebus',
      'Service Bus',
      'Messages in queues and topics, with triggers.',
      'MESSAGING',
      'M3 8h5v8H3z',
      'M10 8h5v8h-5z',
      'M17 12h4',
      'M19 10l2 2-2 2',
    ),
    group(
      'eventhubs',
      'Event Hubs',
      'Events in partitions, with triggers.',
      'MESSAGING',
      'M4 6h10',
      'M4 12h16',
      'M4 18h10',
      'M17 9l3 3-3 3',
    ),
    group('datafactory', 'Data Factory', 'Pipelines.', 'CLOUD', 'M3 20V9l6 4V9l6 4V5h6v15z'),
    group('function', 'Functions', 'Functions over HTTP.', 'CLOUD', 'M13 3L6 13h5l-1 8 8-11h-5z'),
    group(
      'batch',
      'Batch',
      'Jobs in pools of compute nodes.',
      'CLOUD',
      'M4 4h7v7H4z',
      'M13 4h7v7h-7z',
      'M4 13h7v7H4z',
      'M13 16.500h7',
    ),
    group(
      'logicapps',
      'Logic Apps',
      'Workflows and their runs, with a trigger for runs that end.',
      'CLOUD',
      'M10 3h4v4h-4z',
      'M4 17h4v4H4z',
      'M16 17h4v4h-4z',
      'M12 7v5',
      'M6 17v-5h12v5',
    ),
    group(
      'monitoring',
      'Monitor',
      'Metrics of resources, and custom metrics.',
      'CLOUD',
      'M4 4v16h16',
      'M7 15l4-5 3 3 5-7',
    ),
    group(
      'streamanalytics',
      'Stream Analytics',
      'Streaming jobs.',
      'CLOUD',
      'M3 9c3-3 6 3 9 0s6 3 9 0',
      'M3 15c3-3 6 3 9 0s6 3 9 0',
    ),
    group(
      'synapse',
      'Synapse Analytics',
      'Spark jobs.',
      'CLOUD',
      'M12 3l8 4.500v9L12 21l-8-4.500v-9z',
      'M12 8l4 2.500v4L12 17l-4-2.500v-4z',
    ),
    group(
      'monitor',
      'Azure Monitor logs',
      'Logs to Azure Monitor.',
      'CLOUD',
      'M5 6h14',
      'M5 12h9',
      'M5 18h12',
    ),
    group('auth', 'Tokens', 'Tokens for other services.', 'CLOUD', 'M8 15a4 4 0 1 1 3-3l8 0v3h-3v-3'),
    group(
      'cli',
      'Azure CLI',
      'Commands of the Azure CLI.',
      'CLOUD',
      'M3 5h18v14H3z',
      'M7 10l3 2-3 2',
      'M12 15h5',
    ),
    {
      group: 'ee.azure',
      title: 'Azure runners',
      description: 'Scripts on Azure Batch.',
      icon: lineIcon(cloud, 'M9 14h6'),
      categories: ['CLOUD'],
    },
  ],
  types: [
    ...blobTypes,
    ...tableTypes,
    ...lakeTypes,
    ...cosmosTypes,
    ...serviceBusTypes,
    ...eventHubsTypes,
    batchJobCreate,
    batchPoolResize,
    batchRunner,
    ...logicAppsTypes,
    ...monitoringTypes,
    streamAnalyticsGetJob,
    synapseSparkBatchJobCreate,
    dataFactoryCreateRun,
    httpFunction,
    oauthAccessToken,
    azCli,
    blobLogExporter,
    monitorLogExporter,
  ],
};
