import { duration, part, type TaskContext, text } from '@millrace/plugin-kit';
import type { z } from 'zod';
import { callService, type ServiceCall, type ServiceResponse } from '../base/callService.ts';

const connectionProperty = () =>
  part({
    url: text().describe('The address of the server, such as `https://influx.example.com:8086`.'),
    token: text().describe('The API token; for InfluxDB 1 `user:password`.'),
    connectTimeout: duration().prefault('PT10S').describe('How long to wait for the connection.'),
    readTimeout: duration().prefault('PT10S').describe('How long to wait for the next part of a response.'),
  }).describe('How to reach the server.');

export const serverProperties = {
  connection: connectionProperty(),
  org: text().describe('The organization; InfluxDB 1 ignores it.'),
  bucket: text().optional().describe('The bucket; for InfluxDB 1 `database` or `database/retention-policy`.'),
};

export interface Server {
  readonly connection: z.infer<ReturnType<typeof connectionProperty>>;
  readonly org: string;
  readonly bucket?: string | undefined;
}

export type InfluxCall = Pick<ServiceCall, 'method' | 'path' | 'parameters' | 'body' | 'headers' | 'allow'>;

export function callInflux(context: TaskContext, server: Server, call: InfluxCall): Promise<ServiceResponse> {
  const { url, token, connectTimeout, readTimeout } = server.connection;
  context.masker.add(token);
  return callService(context, {
    ...call,
    url,
    connectTimeoutMs: connectTimeout,
    readTimeoutMs: readTimeout,
    headers: { authorization: `Token ${token}`, ...call.headers },
  });
}

export const exampleLines = [
  'connection:',
  '  url: https://influx.example.com:8086',
  `  token: "{{ secret('INFLUXDB_TOKEN') }}"`,
  'org: company',
];
