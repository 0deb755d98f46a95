import { defineLogExporter, integer, type LogExporterDefinition, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { sendAll } from './bulk.ts';
import { connectionProperty, type Engine } from './client.ts';

export const defineSearchExporter = (engine: Engine): LogExporterDefinition =>
  defineLogExporter({
    type: `${engine.name}.LogExporter`,
    aliases: [`ee.${engine.name}.LogExporter`],
    title: `Send the log to ${engine.title}`,
    description:
      'Stores each line as a document, with the date in `@timestamp`. A refused line fails the task, and the next run sends the lines again. Returns `size`.',
    input: () =>
      z.object({
        connection: connectionProperty(),
        indexName: text().default('logs').describe('The index or data stream.'),
        chunk: integer({ min: 1 }).default(1_000).describe('The most lines of a request.'),
      }),
    examples: [
      {
        title: `To ${engine.title}.`,
        runs: false,
        code: `id: ship_logs_to_${engine.name}
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logExporters:
      - id: target
        type: ${engine.name}.LogExporter
        connection:
          hosts:
            - https://search.example.com:9200
          basicAuth:
            username: "{{ secret('SEARCH_USER') }}"
            password: "{{ secret('SEARCH_PASSWORD') }}"
        indexName: millrace-logs
`,
      },
    ],
    export: (context, { connection, indexName, chunk }, lines) => {
      const operations = async function* () {
        // "create" works for data streams too.
        for await (const { timestamp, ...line } of lines)
          yield `${JSON.stringify({ create: { _index: indexName } })}\n${JSON.stringify({ '@timestamp': timestamp, ...line })}\n`;
      };
      return sendAll(context, { connection, chunk }, operations());
    },
  });
