import { type Family, type Group, lineIcon } from '@millrace/plugin-kit';
import { ecrGetAuthToken, eksToken } from './admin/auth.ts';
import { cloudformationTypes } from './admin/cloudformation.ts';
import { cloudwatchTypes } from './admin/cloudwatch.ts';
import { cloudWatchLogExporter, s3LogExporter } from './admin/logExporters.ts';
import { mskTypes } from './admin/msk.ts';
import { bedrockTypes } from './ai/bedrock.ts';
import { batchRunner } from './compute/batchRunner.ts';
import { awsCli } from './compute/cli.ts';
import { ecsRunner } from './compute/ecsRunner.ts';
import { emrTypes } from './compute/emr.ts';
import { emrServerlessTypes } from './compute/emrServerless.ts';
import { glueTypes } from './compute/glue.ts';
import { lambdaInvoke } from './compute/lambda.ts';
import { athenaQuery } from './databases/athena.ts';
import { dynamodbTypes } from './databases/dynamodb.ts';
import { healthlakeTypes } from './databases/healthlake.ts';
import { eventbridgePutEvents } from './messages/eventbridge.ts';
import { kinesisTypes } from './messages/kinesis.ts';
import { snsPublish } from './messages/sns.ts';
import { sqsTypes } from './messages/sqs.ts';
import { minioTypes } from './minio/tasks.ts';
import { s3Download, s3Downloads, s3Trigger } from './s3/downloadTasks.ts';
import { fileSystemTypes } from './s3/fileSystems.ts';
import { s3Copy, s3CreateBucket, s3Delete, s3DeleteList, s3List } from './s3/objectTasks.ts';
import { s3Upload } from './s3/uploadTask.ts';

const bucket = ['M5 6h14l-2 14H7z', 'M5 6c0-1.700 3-3 7-3s7 1.300 7 3-3 3-7 3-7-1.300-7-3'];
const cloud = 'M7 18a4 4 0 0 1-.500-8A6 6 0 0 1 18 9.500a4.300 4.300 0 0 1-.500 8.500z';
const table = ['M4 5h16v14H4z', 'M4 10h16', 'M10 10v9'];

const group = (
  name: string,
  title: string,
  description: string,
  category: string,
  ...paths: string[]
): Group => ({
  group: `aws.${name}`,
  title,
  description,
  icon: lineIcon(...paths),
  categories: [category],
});

/** Services of Amazon Web Services, and MinIO, which speaks like S3. */
export const awsFamily: Family = {
  name: 'aws',
  groups: [
    {
      group: 'aws',
      title: 'AWS',
      description: 'Services of Amazon Web Services.',
      icon: lineIcon(cloud),
      categories: ['CLOUD'],
    },
    group(
      's3',
      'S3',
      'Objects in S3 and compatible storages, with a trigger for new ones.',
      'STORAGE',
      ...bucket,
    ),
    group('s3.files', 'S3 Files', 'Buckets as file systems.', 'STORAGE', ...bucket, 'M9 13h6'),
    group(
      'sqs',
      'SQS',
      'Messages in queues, with triggers.',
      'MESSAGING',
      'M3 8h5v8H3z',
      'M10 8h5v8h-5z',
      'M17 12h4',
      'M19 10l2 2-2 2',
    ),
    group(
      'sns',
      'SNS',
      'Messages to topics and phones.',
      'MESSAGING',
      'M4 12h6',
      'M10 12l8-6',
      'M10 12h9',
      'M10 12l8 6',
    ),
    group(
      'kinesis',
      'Kinesis',
      'Records in streams, with triggers.',
      'MESSAGING',
      'M3 8c4-4 6 4 10 0s6 0 8 0',
      'M3 13c4-4 6 4 10 0s6 0 8 0',
      'M3 18c4-4 6 4 10 0s6 0 8 0',
    ),
    group(
      'eventbridge',
      'EventBridge',
      'Events to buses.',
      'MESSAGING',
      'M4 12h16',
      'M8 12V7',
      'M16 12v5',
      'M6 7h4',
      'M14 17h4',
    ),
    group('dynamodb', 'DynamoDB', 'Items in tables.', 'DATABASE', ...table),
    group('athena', 'Athena', 'SQL over files in S3.', 'DATABASE', ...table, 'M14 14l3 3'),
    group('healthlake', 'HealthLake', 'Medical data stores.', 'DATABASE', 'M4 12h4l2-5 4 10 2-5h4'),
    group('lambda', 'Lambda', 'Functions.', 'CLOUD', 'M6 20l6-11', 'M8 5h3l7 15'),
    group('glue', 'Glue', 'Jobs of Glue.', 'CLOUD', 'M5 7h6v6H5z', 'M13 11h6v6h-6z'),
    group(
      'emr',
      'EMR',
      'Clusters and jobs of EMR.',
      'CLOUD',
      'M5 5h5v5H5z',
      'M14 5h5v5h-5z',
      'M5 14h5v5H5z',
      'M14 14h5v5h-5z',
    ),
    group('msk', 'MSK', 'Kafka clusters.', 'CLOUD', 'M12 4v16', 'M12 12l7-5', 'M12 12l7 5', 'M12 12l-7-5'),
    group('ecr', 'ECR', 'Logins to container registries.', 'CLOUD', 'M4 7h16v12H4z', 'M9 7V4h6v3', 'M9 13h6'),
    group('auth', 'Tokens', 'Tokens for other services.', 'CLOUD', 'M8 15a4 4 0 1 1 3-3l8 0v3h-3v-3'),
    group('cloudwatch', 'CloudWatch', 'Metrics.', 'CLOUD', 'M4 19V5', 'M4 19h16', 'M7 15l4-4 3 3 5-6'),
    group(
      'cloudformation',
      'CloudFormation',
      'Stacks of resources.',
      'CLOUD',
      'M4 7l8-4 8 4-8 4z',
      'M4 12l8 4 8-4',
      'M4 17l8 4 8-4',
    ),
    group('bedrock', 'Bedrock', 'Language models.', 'AI', 'M5 5h14v10H9l-4 4z', 'M9 9h6', 'M9 12h4'),
    group(
      'cli',
      'AWS CLI',
      'Commands of the AWS CLI.',
      'CLOUD',
      'M3 5h18v14H3z',
      'M7 10l3 2-3 2',
      'M12 15h5',
    ),
    {
      group: 'ee.aws',
      title: 'AWS runners',
      description: 'Scripts on AWS Batch and Amazon ECS.',
      icon: lineIcon(cloud, 'M10 13l2 2 3-4'),
      categories: ['CLOUD'],
    },
    {
      group: 'minio',
      title: 'MinIO',
      description: 'Objects in MinIO and other storages that speak like S3, with a trigger for new ones.',
      icon: lineIcon(...bucket, 'M12 12v5', 'M10 15l2 2 2-2'),
      categories: ['STORAGE'],
    },
  ],
  types: [
    s3Upload,
    s3Download,
    s3Downloads,
    s3List,
    s3Copy,
    s3Delete,
    s3DeleteList,
    s3CreateBucket,
    s3Trigger,
    ...fileSystemTypes,
    ...minioTypes,
    ...sqsTypes,
    snsPublish,
    ...kinesisTypes,
    eventbridgePutEvents,
    ...dynamodbTypes,
    athenaQuery,
    ...healthlakeTypes,
    lambdaInvoke,
    ...glueTypes,
    ...emrTypes,
    ...emrServerlessTypes,
    ...mskTypes,
    ecrGetAuthToken,
    eksToken,
    ...cloudwatchTypes,
    cloudWatchLogExporter,
    s3LogExporter,
    ...cloudformationTypes,
    ...bedrockTypes,
    awsCli,
    batchRunner,
    ecsRunner,
  ],
};
