import { batchesOf, defineLogExporter, logExporterExample, text, toLogFile } from '@millrace/plugin-kit';
import { z } from 'zod';
import { uploadBlob } from '../blob/blobs.ts';
import { containerProperty } from '../blob/properties.ts';
import { readText } from '../client/http.ts';
import { identityProperties } from '../client/identity.ts';
import { Storage, storageProperties } from '../client/storage.ts';
import { Management } from './management.ts';

export const blobLogExporter = defineLogExporter({
  type: 'azure.storage.LogExporter',
  aliases: ['ee.azure.storage.LogExporter'],
  title: 'Keep the log in Azure Blob Storage',
  description:
    'Writes the lines to one blob per run, one JSON value a line; without new lines none is written. Returns `size` and `name`.',
  input: () =>
    z.object({
      ...storageProperties,
      containerName: containerProperty(),
      logFilePrefix: text()
        .default('millrace-log-')
        .describe('The prefix before the date in the name of a blob.'),
    }),
  examples: [
    logExporterExample('ship_logs_to_azure_blobs', [
      'type: azure.storage.LogExporter',
      'connectionString: "{{ secret(\'AZURE_STORAGE\') }}"',
      'containerName: logs',
    ]),
  ],
  export: async (context, { containerName, logFilePrefix, ...connection }, lines) => {
    const file = await toLogFile(lines);
    if (!file) return { size: 0 };
    const name = `${logFilePrefix}${new Date().toISOString().replace(/[:.]/g, '-')}.jsonl`;
    const storage = new Storage(context, connection, 'blob');
    await uploadBlob(storage, { container: containerName, name }, file.content, {
      'x-ms-blob-content-type': 'application/x-ndjson',
    });
    return { size: file.size(), name };
  },
});

/** A request may have 1 MB. */
const limits = { count: 5_000, bytes: 900_000, sizeOf: (line: object) => JSON.stringify(line).length + 40 };

export const monitorLogExporter = defineLogExporter({
  type: 'azure.monitor.LogExporter',
  aliases: ['ee.azure.monitor.LogExporter'],
  title: 'Send the log to Azure Monitor',
  description:
    'Sends the lines to the Logs Ingestion API. The data collection rule maps their fields to the columns of a table; the date is in `TimeGenerated`. Returns `size`.',
  input: () =>
    z.object({
      ...identityProperties,
      endpoint: text().describe(
        'The address of the data collection endpoint, such as `https://logs.westeurope-1.ingest.monitor.azure.com`.',
      ),
      ruleId: text().describe('The immutable id of the data collection rule.'),
      streamName: text().describe('The stream of the rule, such as `Custom-Millrace_CL`.'),
    }),
  examples: [
    logExporterExample('ship_logs_to_azure_monitor', [
      'type: azure.monitor.LogExporter',
      'tenantId: "{{ secret(\'AZURE_TENANT_ID\') }}"',
      'clientId: "{{ secret(\'AZURE_CLIENT_ID\') }}"',
      'clientSecret: "{{ secret(\'AZURE_CLIENT_SECRET\') }}"',
      'endpoint: https://logs.westeurope-1.ingest.monitor.azure.com',
      'ruleId: dcr-0123456789abcdef',
      'streamName: Custom-Millrace_CL',
    ]),
  ],
  export: async (context, { endpoint, ruleId, streamName, ...identity }, lines) => {
    const monitor = new Management(context, identity, 'Azure Monitor', 'https://monitor.azure.com/.default');
    const records = async function* () {
      for await (const { timestamp, ...line } of lines) yield { TimeGenerated: timestamp, ...line };
    };
    const path = `/dataCollectionRules/${encodeURIComponent(ruleId)}/streams/${encodeURIComponent(streamName)}`;
    let size = 0;
    for await (const batch of batchesOf(records(), limits)) {
      const response = await monitor.send({
        action: `the lines for "${streamName}"`,
        method: 'POST',
        url: `${endpoint.replace(/\/+$/, '')}${path}?api-version=2023-01-01`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(batch),
      });
      await readText(response);
      size += batch.length;
    }
    return { size };
  },
});
