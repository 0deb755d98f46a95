import { flag, part, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { openS3, type S3 } from '../s3/s3.ts';

/** How a task reaches MinIO, or any other service that speaks like S3. */
export const minioConnection = {
  endpoint: text()
    .optional()
    .describe('The address, such as `https://minio.example.com:9000`; that of AWS when absent.'),
  region: text().optional().describe('The region; seldom needed with MinIO.'),
  accessKeyId: text().optional().describe('The access key.'),
  secretKeyId: text().optional().describe('The secret key.'),
  clientPem: text().optional().describe('Certificate and key of the client, as PEM.'),
  caPem: text().optional().describe('A certificate authority to trust, as PEM.'),
  ssl: part({
    insecureTrustAllCertificates: flag().default(false).describe('Do not check the certificate.'),
  })
    .optional()
    .describe('How to check certificates.'),
};

const Connection = z.object(minioConnection);
export type MinioConnection = z.infer<typeof Connection>;

export async function openMinio(context: TaskContext, connection: MinioConnection): Promise<S3> {
  const { endpoint, region, accessKeyId, secretKeyId, clientPem, caPem, ssl } = connection;
  if (clientPem) context.masker.add(clientPem);
  const certificates = {
    ...(caPem !== undefined && { ca: caPem }),
    ...(clientPem !== undefined && { cert: clientPem, key: clientPem }),
  };
  return openS3(
    context,
    {
      endpointOverride: endpoint,
      region,
      accessKeyId,
      secretKeyId,
      forcePathStyle: endpoint !== undefined,
      stsRoleSessionDuration: 0,
    },
    {
      trustAllCertificates: ssl?.insecureTrustAllCertificates ?? false,
      ...(Object.keys(certificates).length > 0 && { certificates }),
    },
  );
}
