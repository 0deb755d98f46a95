import { duration, flag, text } from '@millrace/plugin-kit';
import { z } from 'zod';

/** How a task reaches AWS, or a service that speaks like it. */
export const connectionProperties = {
  region: text()
    .optional()
    .describe('The region, such as `eu-west-1`; that of the server’s environment or profile when absent.'),
  endpointOverride: text()
    .optional()
    .describe('The address of the service instead of that of AWS, for compatible services.'),
  accessKeyId: text()
    .optional()
    .describe('The access key. Without it the credentials of the server are used, found as AWS tools do.'),
  secretKeyId: text().optional().describe('The secret key.'),
  sessionToken: text().optional().describe('The session token of temporary credentials.'),
  stsRoleArn: text().optional().describe('A role to assume with these credentials.'),
  stsRoleExternalId: text().optional().describe('The external id that the role asks for.'),
  stsRoleSessionName: text().optional().describe('The name of the session.'),
  stsEndpointOverride: text().optional().describe('The address of STS instead of that of AWS.'),
  stsRoleSessionDuration: duration()
    .prefault('PT15M')
    .describe('How long the assumed role stays valid; at least 15 minutes.'),
};

/** Also properties of tasks that transfer files; only S3 uses them. */
export const compatibilityProperties = {
  compatibilityMode: flag()
    .default(false)
    .describe('For services that are compatible with S3: address buckets in the path.'),
  forcePathStyle: flag()
    .optional()
    .describe(
      'Address buckets in the path instead of the host name; done by itself with `endpointOverride` when absent.',
    ),
};

/** The connection properties of every task. Triggers have no `forcePathStyle`. */
export const taskConnection = { ...connectionProperties, ...compatibilityProperties };

const Connection = z.object(connectionProperties);
export type Connection = z.infer<typeof Connection>;
