import {
  type Execution,
  executions,
  isTerminal,
  type LogEntry,
  LogEntry as LogEntrySchema,
  logs,
} from '@millrace/contract';
import { type ExitCode, exitCodes, type Output, type Surroundings } from '../command.ts';
import type { Client } from './client.ts';
import { printable } from './print.ts';

/** Prints the progress of an execution and returns its exit code and final state. */
export async function watchExecution(
  client: Client,
  executionId: string,
  { out, err }: Surroundings,
): Promise<{ code: ExitCode; execution: Execution }> {
  const params = { executionId };
  // The stream waits for executions that are not stored yet; here the execution must exist.
  await client.call(executions.getExecution, { params });
  const log = followLog(client, executionId, out);
  try {
    for await (const { id } of client.follow(executions.followExecution, {
      params,
      query: { history: false },
    })) {
      if (id === 'end') break;
    }
    await log.finish();
  } finally {
    // Closes the stream of the log, which would otherwise stay open.
    log.leave();
  }
  const execution = await client.call(executions.getExecution, { params });
  err.write(`${executionId} ${execution.state.current}\n`);
  return { code: codeOf(execution), execution };
}

/** Prints the log as it arrives. `finish` prints lines that the stream missed; `leave` closes the stream. */
function followLog(client: Client, executionId: string, out: Output) {
  const leaving = new AbortController();
  const params = { executionId };
  let shown = 0;
  const show = (entry: LogEntry) => {
    shown++;
    out.write(lineOf(entry));
  };
  const following = (async () => {
    for await (const { id, data } of client.follow(logs.followLogs, { params, signal: leaving.signal })) {
      if (id === 'progress') show(LogEntrySchema.parse(data));
    }
  })().catch(() => {}); // What a broken stream does not bring is read at the end.
  return {
    leave: () => leaving.abort(),
    finish: async () => {
      leaving.abort();
      await following;
      for (const entry of (await client.call(logs.listLogs, { params })).slice(shown)) show(entry);
    },
  };
}

/** Only an execution that ended well is a success; a killed execution is not. */
export function codeOf({ state }: Execution): ExitCode {
  const isBad = isTerminal(state.current) && !['SUCCESS', 'WARNING', 'SKIPPED'].includes(state.current);
  return isBad ? exitCodes.failed : exitCodes.done;
}

export function lineOf({ timestamp, level, taskId, triggerId, message = '' }: LogEntry): string {
  const origin = taskId ?? triggerId ?? '';
  return `${timestamp} ${level.padEnd(5)} ${origin === '' ? '' : `${origin}: `}${printable(message)}\n`;
}
