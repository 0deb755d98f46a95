import { choice } from '@millrace/plugin-kit';

export const encodingProperty = () =>
  choice(['UTF-8', 'BASE64'])
    .default('UTF-8')
    .describe('How bytes are written as text: `UTF-8`, or `BASE64` for binary data.');

export type Encoding = 'UTF-8' | 'BASE64';

export const toBytes = (text: string, encoding: Encoding): Buffer =>
  Buffer.from(text, encoding === 'BASE64' ? 'base64' : 'utf8');

export const toText = (bytes: Buffer, encoding: Encoding): string =>
  bytes.toString(encoding === 'BASE64' ? 'base64' : 'utf8');
