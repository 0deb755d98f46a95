import {
  batchesOf,
  defineLogExporter,
  type LogLine,
  logExporterExample,
  text,
  toLogFile,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { uploadUrl } from '../gcs/objects.ts';
import { segment } from '../google/client.ts';
import { gcpProperties, openCloud } from '../google/define.ts';
import { uploadResumable } from '../google/upload.ts';

const exampleOf = (id: string, lines: readonly string[]) =>
  logExporterExample(id, [
    'projectId: my-project',
    'serviceAccount: "{{ secret(\'GCP_SERVICE_ACCOUNT\') }}"',
    ...lines,
  ]);

export const gcsLogExporter = defineLogExporter({
  type: 'gcp.gcs.LogExporter',
  aliases: ['ee.gcp.gcs.LogExporter'],
  title: 'Keep the log in Cloud Storage',
  description:
    'Writes the lines to one object per run, one JSON value a line; without new lines none is written. Returns `size` and `uri`.',
  input: () =>
    z.object({
      ...gcpProperties,
      bucket: text().describe('The bucket.'),
      logFilePrefix: text()
        .default('millrace-log-')
        .describe('The prefix before the date in the name of an object.'),
    }),
  examples: [
    exampleOf('ship_logs_to_gcs', [
      'type: gcp.gcs.LogExporter',
      'bucket: my-logs',
      'logFilePrefix: millrace/',
    ]),
  ],
  export: async (context, { bucket, logFilePrefix, ...login }, lines) => {
    const file = await toLogFile(lines);
    if (!file) return { size: 0 };
    const name = `${logFilePrefix}${new Date().toISOString().replace(/[:.]/g, '-')}.jsonl`;
    await uploadResumable(openCloud(context, login).google, {
      url: `${uploadUrl}/b/${segment(bucket)}/o`,
      query: { name },
      metadata: { name, contentType: 'application/x-ndjson' },
      contentType: 'application/x-ndjson',
      content: file.content,
    });
    return { size: file.size(), uri: `gs://${bucket}/${name}` };
  },
});

const severities: Readonly<Record<string, string>> = { TRACE: 'DEBUG', WARN: 'WARNING' };
/** The limits of one request. */
const limits = {
  count: 1_000,
  bytes: 5_000_000,
  sizeOf: (entry: object) => JSON.stringify(entry).length,
};

function toEntry(line: LogLine) {
  const level = String(line.level ?? 'DEFAULT');
  const labels = Object.entries(line).filter(
    ([name, value]) => name.endsWith('Id') && value !== undefined && value !== null,
  );
  return {
    timestamp: line.timestamp,
    severity: severities[level] ?? level,
    labels: Object.fromEntries(labels.map(([name, value]) => [name, String(value)])),
    jsonPayload: line,
  };
}

export const cloudLoggingExporter = defineLogExporter({
  type: 'gcp.operationalsuite.LogExporter',
  aliases: ['ee.gcp.operationalsuite.LogExporter'],
  title: 'Send the log to Cloud Logging',
  description: 'Writes the lines to a log of Google Cloud, with their level, date and ids. Returns `size`.',
  input: () =>
    z.object({ ...gcpProperties, logName: text().default('millrace').describe('The name of the log.') }),
  examples: [
    exampleOf('ship_logs_to_google', ['type: gcp.operationalsuite.LogExporter', 'logName: millrace']),
  ],
  export: async (context, { logName, ...login }, lines) => {
    const cloud = openCloud(context, login);
    const entries = async function* () {
      for await (const line of lines) yield toEntry(line);
    };
    let size = 0;
    for await (const batch of batchesOf(entries(), limits)) {
      await cloud.google.json({
        url: 'https://logging.googleapis.com/v2/entries:write',
        body: {
          logName: `projects/${await cloud.project()}/logs/${segment(logName)}`,
          resource: { type: 'global' },
          entries: batch,
        },
      });
      size += batch.length;
    }
    return { size };
  },
});
