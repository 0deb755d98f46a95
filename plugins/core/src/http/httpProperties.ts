import { anything, deprecated, flag, httpOptions, mapOf, part, text, textOrJson } from '@millrace/plugin-kit';
import { z } from 'zod';

/** The properties of every HTTP task. */
export const httpProperties = {
  uri: text().describe('The address, with `http://` or `https://`; spaces become `%20`.'),
  method: text()
    .default('GET')
    .describe('The HTTP method: `GET`, `POST`, `PUT`, `PATCH`, `DELETE` or another.'),
  body: textOrJson()
    .optional()
    .describe('The body of the request, as text; a map or a list is sent as JSON. See `contentType`.'),
  formData: mapOf(anything())
    .optional()
    .describe(
      'A form to send: texts, URIs of stored files, or `{name, content}` of a file, whose content is a text or the URI of a stored file. Files need the `contentType` `multipart/form-data`.',
    ),
  contentType: text().optional().describe('The type of the body; `application/json` when absent.'),
  headers: mapOf(anything()).default({}).describe('The headers of the request.'),
  options: httpOptions().optional().describe('How to send: timeouts, login, proxy, certificates, redirects.'),
  allowFailed: deprecated(flag().optional(), 'use `options.allowFailed`.'),
  sslOptions: deprecated(
    part({
      insecureTrustAllCertificates: flag().default(false).describe('Do not check the certificate.'),
    }).optional(),
    'use `options.ssl`.',
  ),
};

const Properties = z.object(httpProperties);
export type HttpInput = z.infer<typeof Properties>;

export const encryptBody = () =>
  flag()
    .default(false)
    .describe(
      'Store the body encrypted, as `encryptedBody`; needs a key in the configuration of the server.',
    );
