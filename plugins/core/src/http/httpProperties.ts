import {
  anything,
  choice,
  deprecated,
  duration,
  flag,
  integer,
  listOf,
  mapOf,
  part,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';

const proxy = part({
  type: choice(['HTTP', 'DIRECT', 'SOCKS'])
    .default('HTTP')
    .describe('The kind of proxy; SOCKS is version 5.'),
  address: text().optional().describe('The host of the proxy.'),
  port: integer({ min: 1, max: 65_535 }).optional().describe('Its port.'),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password.'),
});

const old = (schema: z.ZodType) =>
  deprecated(schema.optional(), 'use the property of the same meaning in `options`.');

export const httpOptions = part({
  timeout: part({
    connectTimeout: duration().optional().describe('How long to wait for a connection.'),
    readIdleTimeout: duration()
      .prefault('PT5M')
      .describe('How long to wait for the next part of the answer.'),
  })
    .optional()
    .describe('How long to wait.'),
  proxy: proxy.optional().describe('The proxy to go through.'),
  auth: part({
    type: choice(['BASIC', 'BEARER', 'DIGEST']).describe('The kind of login.'),
    username: text().optional().describe('The user, for BASIC and DIGEST.'),
    password: text().optional().describe('The password, for BASIC and DIGEST.'),
    token: text().optional().describe('The token, for BEARER.'),
  })
    .optional()
    .describe('How to log in.'),
  ssl: part({ insecureTrustAllCertificates: flag().default(false).describe('Do not check the certificate.') })
    .optional()
    .describe('How to check certificates.'),
  followRedirects: flag().default(true).describe('Go where the answer points.'),
  allowFailed: flag().default(false).describe('A status of 400 and above does not fail the task.'),
  defaultCharset: text().default('UTF-8').describe('The encoding of an answer that names none.'),
  maxContentLength: integer({ min: 1 }).optional().describe('The largest answer that is read, in bytes.'),
  logs: listOf(choice(['REQUEST_HEADERS', 'REQUEST_BODY', 'RESPONSE_HEADERS', 'RESPONSE_BODY']))
    .optional()
    .describe('What is written to the log, at DEBUG.'),
  connectTimeout: old(duration()),
  readTimeout: old(duration()),
  readIdleTimeout: old(duration()),
  connectionPoolIdleTimeout: old(duration()),
  basicAuthUser: old(text()),
  basicAuthPassword: old(text()),
  proxyType: old(text()),
  proxyAddress: old(text()),
  proxyPort: old(integer()),
  proxyUsername: old(text()),
  proxyPassword: old(text()),
  logLevel: old(text()),
});

/** What every HTTP task takes. */
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
  options: httpOptions.optional().describe('How to send: timeouts, login, proxy, certificates, redirects.'),
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
