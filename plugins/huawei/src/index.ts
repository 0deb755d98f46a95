import { type Family, type Group, lineIcon } from '@millrace/plugin-kit';
import { dataartsTypes } from './data/dataarts.ts';
import { dliTypes } from './data/dli.ts';
import { geminidbTypes } from './data/geminidb.ts';
import { mrsTypes } from './data/mrs.ts';
import { disTypes } from './messages/dis.ts';
import { kafkaTypes } from './messages/kafka.ts';
import { rocketmqTypes } from './messages/rocketmq/tasks.ts';
import { obsTasks } from './obs/tasks.ts';
import { obsTrigger } from './obs/trigger.ts';
import { cesTypes } from './services/ces.ts';
import { eventgridTypes } from './services/eventgrid.ts';
import { functiongraphTypes } from './services/functiongraph.ts';
import { identityTypes } from './services/identity.ts';
import { kooCliTypes } from './services/koocli.ts';
import { rfsTypes } from './services/rfs.ts';
import { smnTypes } from './services/smn.ts';

const group = (
  name: string,
  title: string,
  description: string,
  category: string,
  ...paths: string[]
): Group => ({ group: name, title, description, icon: lineIcon(...paths), categories: [category] });

const cloud = 'M7 18a4 4 0 0 1-.5-8A6 6 0 0 1 18 11a3.5 3.5 0 0 1-.5 7z';

/** Services of Huawei Cloud. */
export const huaweiFamily: Family = {
  name: 'huawei',
  groups: [
    group(
      'huawei',
      'Huawei Cloud',
      'Services of Huawei Cloud.',
      'CLOUD',
      cloud,
      'M12 15v-3',
      'M9.5 14l-1-2',
      'M14.5 14l1-2',
    ),
    group(
      'huawei.obs',
      'Object Storage Service',
      'Files of OBS, and a trigger for new ones.',
      'STORAGE',
      'M5 6c0-1.5 14-1.5 14 0l-2 13c0 1.500-10 1.500-10 0z',
      'M5 6c0 1.500 14 1.500 14 0',
    ),
    group(
      'huawei.ces',
      'Cloud Eye',
      'Metrics of Cloud Eye.',
      'INFRASTRUCTURE',
      'M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6z',
      'M12 9.500a2.500 2.500 0 1 0 .01 0',
    ),
    group(
      'huawei.dataarts',
      'DataArts Factory',
      'Runs of DataArts Factory jobs.',
      'DATA',
      'M5 5h5v5H5z',
      'M14 14h5v5h-5z',
      'M10 7.500h6.500V14',
    ),
    group(
      'huawei.dis',
      'Data Ingestion Service',
      'Records of DIS streams.',
      'MESSAGING',
      'M4 8h10',
      'M4 12h16',
      'M4 16h7',
    ),
    group(
      'huawei.dli',
      'Data Lake Insight',
      'Queries of Data Lake Insight.',
      'DATA',
      'M4 7c3-2 5 2 8 0s5 2 8 0',
      'M4 12c3-2 5 2 8 0s5 2 8 0',
      'M4 17c3-2 5 2 8 0s5 2 8 0',
    ),
    group(
      'huawei.dms.kafka',
      'DMS for Kafka',
      'Messages of DMS for Kafka.',
      'MESSAGING',
      'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
      'M12 3v6',
      'M12 15v6',
      'M14.600 10.500L20 8',
      'M14.600 13.500L20 16',
    ),
    group(
      'huawei.dms.rocketmq',
      'DMS for RocketMQ',
      'Messages of DMS for RocketMQ.',
      'MESSAGING',
      'M12 3c4 3 4 8 3 12H9C8 11 8 6 12 3z',
      'M9 15l-2 5',
      'M15 15l2 5',
    ),
    group(
      'huawei.eventgrid',
      'EventGrid',
      'Events of EventGrid channels.',
      'MESSAGING',
      'M4 4h16v16H4z',
      'M12 4v16',
      'M4 12h16',
    ),
    group(
      'huawei.functiongraph',
      'FunctionGraph',
      'Functions of FunctionGraph.',
      'INFRASTRUCTURE',
      'M7 19L12 5l5 14',
      'M9.500 12h5',
    ),
    group(
      'huawei.geminidb',
      'GeminiDB',
      'Items of GeminiDB tables.',
      'DATABASE',
      'M5 6c0-2 14-2 14 0v12c0 2-14 2-14 0z',
      'M5 12c0 2 14 2 14 0',
    ),
    group(
      'huawei.iam',
      'IAM',
      'Temporary keys of IAM.',
      'INFRASTRUCTURE',
      'M8 11a4 4 0 1 1 3.900 3L10 16H8v2H6v2H3v-3z',
    ),
    group(
      'huawei.koocli',
      'KooCLI',
      'Commands of KooCLI.',
      'INFRASTRUCTURE',
      'M4 5h16v14H4z',
      'M7 9l3 3-3 3',
      'M12 15h5',
    ),
    group(
      'huawei.mrs',
      'MapReduce Service',
      'Clusters and jobs of MapReduce Service.',
      'DATA',
      'M12 3l8 4.500v9L12 21l-8-4.500v-9z',
      'M12 12l8-4.500',
      'M12 12v9',
      'M12 12L4 7.500',
    ),
    group(
      'huawei.rfs',
      'Resource Formation Service',
      'Stacks of Resource Formation Service.',
      'INFRASTRUCTURE',
      'M12 3l8 4-8 4-8-4z',
      'M4 12l8 4 8-4',
      'M4 16l8 4 8-4',
    ),
    group(
      'huawei.smn',
      'Simple Message Notification',
      'Messages of SMN topics.',
      'MESSAGING',
      'M4 10v4l3 1V9z',
      'M7 9l10-4v14L7 15',
      'M9 16l1 4',
    ),
    group(
      'huawei.swr',
      'SoftWare Repository',
      'Logins of the container registry.',
      'INFRASTRUCTURE',
      'M4 8l8-4 8 4v8l-8 4-8-4z',
      'M4 8l8 4 8-4',
      'M12 12v8',
    ),
  ],
  types: [
    ...obsTasks,
    ...obsTrigger,
    ...cesTypes,
    ...dataartsTypes,
    ...disTypes,
    ...dliTypes,
    ...kafkaTypes,
    ...rocketmqTypes,
    ...eventgridTypes,
    ...functiongraphTypes,
    ...geminidbTypes,
    ...identityTypes,
    ...kooCliTypes,
    ...mrsTypes,
    ...rfsTypes,
    ...smnTypes,
  ],
};
