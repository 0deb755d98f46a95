import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { finished } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import {
  choice,
  defineLogExporter,
  flag,
  integer,
  type LogLine,
  messageOf,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

const severities: Readonly<Record<string, number>> = { ERROR: 3, WARN: 4, INFO: 6, DEBUG: 7, TRACE: 7 };
const facilities = [
  'USER',
  'DAEMON',
  'LOCAL0',
  'LOCAL1',
  'LOCAL2',
  'LOCAL3',
  'LOCAL4',
  'LOCAL5',
  'LOCAL6',
  'LOCAL7',
] as const;
const facilityNumbers: Readonly<Record<(typeof facilities)[number], number>> = {
  USER: 1,
  DAEMON: 3,
  LOCAL0: 16,
  LOCAL1: 17,
  LOCAL2: 18,
  LOCAL3: 19,
  LOCAL4: 20,
  LOCAL5: 21,
  LOCAL6: 22,
  LOCAL7: 23,
};
const connectTimeoutMs = 10_000;
/** How long a server may take to close the connection after it has read all lines. */
const closeTimeoutMs = 5_000;

/** Sends the lines to a syslog server over TCP (RFC 5424 in frames of RFC 6587). */
export const syslogExporter = defineLogExporter({
  type: 'core.log.exporter.Syslog',
  title: 'Send the log to a syslog server',
  description: `Sends the lines over TCP in the format of RFC 5424, each with its length in front. A connection that breaks fails the task, and the next run
sends the lines again. Syslog has no acknowledgment: lines that the server has read and loses, for example in a crash, are not sent again. Returns \`size\`.`,
  input: () =>
    z.object({
      host: text().describe('The host of the server.'),
      port: integer({ min: 1, max: 65_535 }).default(514).describe('The port of the server.'),
      tls: flag().default(false).describe('Encrypt the connection; the usual port is then 6514.'),
      facility: choice(facilities).default('USER').describe('The facility of the lines.'),
      appName: text().default('millrace').describe('The application of the lines.'),
    }),
  examples: [
    {
      title: 'To a syslog server.',
      runs: false,
      code: `id: ship_logs_to_syslog
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logExporters:
      - id: target
        type: core.log.exporter.Syslog
        host: syslog.example.com
        port: 6514
        tls: true
`,
    },
  ],
  async export(context, { host, port, tls, facility, appName }, lines) {
    const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal: context.signal });
    const socket = tls ? connectTls({ socket: plain, servername: host }) : plain;
    let failure: Error | undefined;
    socket.on('error', (error) => {
      failure ??= error;
    });
    const write = (content: string) =>
      new Promise<void>((resolve, reject) => {
        if (failure) reject(failure);
        else socket.write(content, (error) => (error ? reject(error) : resolve()));
      });
    try {
      let size = 0;
      for await (const line of lines) {
        const message = toSyslog(line, facilityNumbers[facility], appName);
        await write(`${Buffer.byteLength(message)} ${message}`);
        size += 1;
      }
      await close(socket, context.signal);
      if (failure) throw failure;
      return { size };
    } catch (error) {
      context.signal.throwIfAborted();
      throw new TaskFailed(`Syslog server on ${host}:${port}: ${messageOf(failure ?? error)}`, {
        cause: error,
      });
    } finally {
      socket.destroy();
    }
  },
});

/**
 * Closes the connection and waits until the server does the same: the protocol has no acknowledgment, but a server
 * that closes in order has read everything, and one that crashes resets the connection.
 */
async function close(socket: Socket, signal: AbortSignal): Promise<void> {
  // An end of the stream is only seen while it is read.
  socket.resume();
  socket.end();
  const timer = AbortSignal.timeout(closeTimeoutMs);
  await finished(socket, { signal: AbortSignal.any([signal, timer]) }).catch((error: unknown) => {
    // Some servers keep connections open.
    if (!timer.aborted) throw error;
  });
}

const dataNames = ['namespace', 'flowId', 'taskId', 'executionId', 'taskRunId', 'triggerId'] as const;

function toSyslog(line: LogLine, facility: number, appName: string): string {
  const priority = facility * 8 + (severities[String(line.level)] ?? 6);
  const data = dataNames.flatMap((name) =>
    line[name] === undefined || line[name] === null
      ? []
      : [`${name}="${String(line[name]).replace(/["\\\]]/g, '\\$&')}"`],
  );
  const structured = data.length === 0 ? '-' : `[millrace@32473 ${data.join(' ')}]`;
  const word = (value: string) => value.replace(/[^\x21-\x7e]/g, '_').slice(0, 48) || '-';
  return `<${priority}>1 ${String(line.timestamp ?? '-')} ${word(hostname())} ${word(appName)} - - ${structured} ${String(line.message ?? '')}`;
}
