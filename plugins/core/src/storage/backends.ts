import { defineStorage, fixed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

/** The folder of a machine. */
export const localStorage = defineStorage({
  type: 'core.storage.backend.Local',
  title: 'A folder',
  description:
    'Keeps files in a folder of the machine. Several servers need the same folder, for example on a network disk. In the configuration it is called `local`.',
  aliases: ['io.kestra.storage.local.LocalStorage'],
  input: () =>
    z.object({
      path: fixed(text()).optional().describe('The folder; `storage` in the data folder when absent.'),
    }),
  examples: [
    {
      title: 'In the configuration of the server.',
      runs: false,
      code: `storage:
  type: local
  path: /srv/millrace/files
`,
    },
  ],
});

/** A bucket of object storage. */
export const s3Storage = defineStorage({
  type: 'core.storage.backend.S3',
  title: 'A bucket of object storage',
  description:
    'Keeps files in a bucket of AWS S3 or of any service that speaks S3. In the configuration it is called `s3`.',
  aliases: ['io.kestra.storage.s3.S3Storage', 'io.kestra.storage.minio.MinioStorage'],
  input: () =>
    z.object({
      bucket: fixed(text()).describe('The bucket; it must exist.'),
      prefix: fixed(text()).optional().describe('Goes before the name of every object.'),
      endpoint: fixed(text()).optional().describe('The address of the service; that of AWS when absent.'),
      region: fixed(text()).default('us-east-1').describe('The region.'),
      accessKeyId: fixed(text()).optional().describe('The key; `AWS_ACCESS_KEY_ID` when absent.'),
      secretAccessKey: fixed(text()).optional().describe('Its secret; `AWS_SECRET_ACCESS_KEY` when absent.'),
    }),
  examples: [
    {
      title: 'In the configuration of the server.',
      runs: false,
      code: `storage:
  type: s3
  endpoint: https://objects.example.com
  bucket: millrace
`,
    },
  ],
});
