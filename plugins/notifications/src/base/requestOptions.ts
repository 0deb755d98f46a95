import { choice, duration, integer, mapOf, part, text } from '@millrace/plugin-kit';
import type { z } from 'zod';

/** The `options` of every notification task. */
export const requestOptions = () =>
  part({
    connectTimeout: duration().optional().describe('How long to wait for a connection.'),
    readTimeout: duration().prefault('PT10S').describe('How long to wait for the response.'),
    readIdleTimeout: duration()
      .prefault('PT5M')
      .describe(
        'The longest pause between two parts of the response; `readTimeout` applies when it is shorter.',
      ),
    connectionPoolIdleTimeout: duration()
      .prefault('PT0S')
      .describe('Accepted for older flows. The server keeps connections itself.'),
    maxContentLength: integer({ min: 1 })
      .default(10_485_760)
      .describe('The largest response that is read, in bytes.'),
    defaultCharset: text().default('UTF-8').describe('The encoding of a response that names none.'),
    headers: mapOf(text()).optional().describe('More headers of the request.'),
    proxy: part({
      type: choice(['HTTP', 'DIRECT', 'SOCKS'])
        .default('HTTP')
        .describe('The kind of proxy; SOCKS is version 5.'),
      address: text().optional().describe('The host of the proxy.'),
      port: integer({ min: 1, max: 65_535 }).optional().describe('The port of the proxy.'),
      username: text().optional().describe('The user of the proxy.'),
      password: text().optional().describe('The password of the proxy.'),
    })
      .optional()
      .describe('The proxy that requests go through.'),
  })
    .optional()
    .describe('How to send: timeouts, headers, proxy.');

export type RequestOptions = z.infer<ReturnType<typeof requestOptions>>;
