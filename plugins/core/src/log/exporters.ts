import { defineLogExporter, integer, mapOf, TaskFailed, text, toRow } from '@millrace/plugin-kit';
import { z } from 'zod';

const exampleOf = (exporter: string) => `id: ship_logs
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logExporters:
      - id: target
        ${exporter}
`;

/** Keeps the lines in internal storage. */
export const fileExporter = defineLogExporter({
  type: 'core.log.exporter.File',
  title: 'Keep the log in a file',
  description:
    'Writes the lines into a file in internal storage, one JSON value a line. Returns `uri` and `size`.',
  input: () =>
    z.object({
      fileName: text().default('logs.jsonl').describe('The name of the file.'),
    }),
  examples: [{ title: 'Into a file.', runs: true, code: exampleOf('type: core.log.exporter.File') }],
  async export(context, { fileName }, lines) {
    let size = 0;
    const rows = async function* () {
      for await (const line of lines) {
        size += 1;
        yield toRow(line);
      }
    };
    const uri = await context.files.put(fileName, rows());
    return { uri, size };
  },
});

/** Sends the lines to an address, in portions. */
export const httpExporter = defineLogExporter({
  type: 'core.log.exporter.Http',
  title: 'Send the log to an address',
  description:
    'Posts the lines as JSON lists, `chunk` lines at a time. An answer of 400 and above fails the task, and the next run sends them again. Returns `size`.',
  input: () =>
    z.object({
      uri: text().describe('The address.'),
      headers: mapOf(text()).default({}).describe('Headers of the requests, such as a token.'),
      chunk: integer({ min: 1, max: 10_000 }).default(1_000).describe('How many lines a request has.'),
    }),
  examples: [
    {
      title: 'To a collector of logs.',
      runs: false,
      code: exampleOf('type: core.log.exporter.Http\n        uri: https://logs.example.com/ingest'),
    },
  ],
  async export(context, { uri, headers, chunk }, lines) {
    let size = 0;
    let waiting: unknown[] = [];
    const send = async () => {
      if (waiting.length === 0) return;
      const body = JSON.stringify(waiting);
      size += waiting.length;
      waiting = [];
      const response = await context.fetch({
        url: uri,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: context.signal,
      });
      for await (const _ of response.body);
      if (response.status >= 400)
        throw new TaskFailed(`The collector of logs answered with status ${response.status}.`);
    };
    for await (const line of lines) {
      waiting.push(line);
      if (waiting.length >= chunk) await send();
    }
    await send();
    return { size };
  },
});
