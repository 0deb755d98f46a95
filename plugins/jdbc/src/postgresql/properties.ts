import { choice, flag, text } from '@millrace/plugin-kit';
import { sslModes } from './secureSocket.ts';

export const sslProperties = () => ({
  ssl: flag()
    .default(false)
    .describe(
      'Connect with SSL only, and verify the certificate of the server unless `sslMode` says otherwise.',
    ),
  sslMode: choice(sslModes)
    .optional()
    .describe('How to use SSL. Without `ssl` it is used when the server offers it, as with `PREFER`.'),
  sslRootCert: text().optional().describe('The certificate of the authority to trust, as PEM.'),
  sslCert: text().optional().describe('The certificate of the client, as PEM.'),
  sslKey: text().optional().describe('The private key of the client, as PEM.'),
  sslKeyPassword: text().optional().describe('The password of the private key.'),
});
