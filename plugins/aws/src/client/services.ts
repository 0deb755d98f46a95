import { TaskFailed } from '@millrace/plugin-kit';
import type { Connection } from './connection.ts';
import { readProfile } from './profiles.ts';

export interface Service {
  /** For messages. */
  readonly title: string;
  /** The first part of its host name. */
  readonly endpoint: string;
  /** In signatures; the first part of the host name when absent. */
  readonly signingName?: string;
  readonly json?: { readonly version: '1.0' | '1.1'; readonly target: string };
  readonly queryVersion?: string;
  /** Only newer services have host names in this domain. */
  readonly domain?: 'api.aws';
}

const json = (title: string, endpoint: string, version: '1.0' | '1.1', target: string): Service => ({
  title,
  endpoint,
  json: { version, target },
});

export const services = {
  s3: { title: 'S3', endpoint: 's3' },
  s3files: { title: 'S3 Files', endpoint: 's3files', domain: 'api.aws' },
  sts: { title: 'STS', endpoint: 'sts', queryVersion: '2011-06-15' },
  sns: { title: 'SNS', endpoint: 'sns', queryVersion: '2010-03-31' },
  cloudformation: { title: 'CloudFormation', endpoint: 'cloudformation', queryVersion: '2010-05-15' },
  cloudwatch: { title: 'CloudWatch', endpoint: 'monitoring', queryVersion: '2010-08-01' },
  logs: json('CloudWatch Logs', 'logs', '1.1', 'Logs_20140328'),
  sqs: json('SQS', 'sqs', '1.0', 'AmazonSQS'),
  dynamodb: json('DynamoDB', 'dynamodb', '1.0', 'DynamoDB_20120810'),
  kinesis: json('Kinesis', 'kinesis', '1.1', 'Kinesis_20131202'),
  athena: json('Athena', 'athena', '1.1', 'AmazonAthena'),
  ecr: {
    ...json('ECR', 'api.ecr', '1.1', 'AmazonEC2ContainerRegistry_V20150921'),
    signingName: 'ecr',
  },
  eventbridge: json('EventBridge', 'events', '1.1', 'AWSEvents'),
  glue: json('Glue', 'glue', '1.1', 'AWSGlue'),
  emr: json('EMR', 'elasticmapreduce', '1.1', 'ElasticMapReduce'),
  healthlake: json('HealthLake', 'healthlake', '1.0', 'HealthLake'),
  emrServerless: { title: 'EMR Serverless', endpoint: 'emr-serverless' },
  lambda: { title: 'Lambda', endpoint: 'lambda' },
  msk: { title: 'MSK', endpoint: 'kafka' },
  batch: { title: 'Batch', endpoint: 'batch' },
  ecs: json('ECS', 'ecs', '1.1', 'AmazonEC2ContainerServiceV20141113'),
  bedrock: { title: 'Bedrock', endpoint: 'bedrock' },
  bedrockRuntime: { title: 'Bedrock', endpoint: 'bedrock-runtime', signingName: 'bedrock' },
} as const satisfies Record<string, Service>;

export function endpointOf({ endpoint, domain }: Service, region: string): string {
  if (!/^[a-z0-9-]+$/.test(region))
    throw new TaskFailed(`"${region}" is not a region; it must look like "eu-west-1".`, { retry: false });
  const suffix = domain ?? (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');
  return `https://${endpoint}.${region}.${suffix}`;
}

/** A compatible service seldom has regions, so any will do there. */
export async function regionOf({ region, endpointOverride }: Connection): Promise<string> {
  const found =
    region ??
    process.env.AWS_REGION ??
    process.env.AWS_DEFAULT_REGION ??
    (await readProfile(process.env, process.env.AWS_PROFILE ?? 'default'))?.region;
  if (found) return found;
  if (endpointOverride) return 'us-east-1';
  throw new TaskFailed('"region" is missing, and the server’s environment and profile name none.', {
    retry: false,
  });
}
