import type { TaskContext } from '@millrace/plugin-kit';
import { AwsClient, type Credentials, type Transport } from './awsClient.ts';
import type { Connection } from './connection.ts';
import { baseCredentials, renewed } from './credentials.ts';
import { endpointOf, regionOf, type Service, services } from './services.ts';
import { assumeRole } from './sts.ts';

export { AwsError } from './awsClient.ts';

export async function openClient(
  context: TaskContext,
  connection: Connection,
  name: keyof typeof services,
  transport?: Transport,
): Promise<AwsClient> {
  const service: Service = services[name];
  const region = await regionOf(connection);
  const base = await baseCredentials(context, connection);
  const credentials = connection.stsRoleArn ? assumed(context, connection, region, base) : base;
  const endpoint = connection.endpointOverride ?? endpointOf(service, region);
  return new AwsClient({ context, service, region, endpoint, credentials, ...(transport && { transport }) });
}

function assumed(
  context: TaskContext,
  connection: Connection,
  region: string,
  base: () => Promise<Credentials>,
): () => Promise<Credentials> {
  const role = {
    arn: connection.stsRoleArn ?? '',
    sessionName: connection.stsRoleSessionName ?? `millrace-${context.run.executionId}`,
    externalId: connection.stsRoleExternalId,
    durationMs: connection.stsRoleSessionDuration,
    region,
    endpoint: connection.stsEndpointOverride,
  };
  return renewed(() => assumeRole(context, role, base));
}
