import { type Execution, executionActions, executions, logs } from '@millrace/contract';
import { inputForm } from '../client/inputForm.ts';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { readPairs } from '../client/pairs.ts';
import { printJson } from '../client/print.ts';
import { tell } from '../client/tell.ts';
import { codeOf, lineOf, watchExecution } from '../client/watchExecution.ts';
import { defineCommand, exitCodes, type Surroundings, type Values } from '../command.ts';

const byId = { usage: 'EXECUTION', positionals: { min: 1, max: 1 } } as const;
const follow = { type: 'boolean', short: 'f', help: 'print the log until the execution ends' } as const;

export const executionRun = defineCommand({
  name: 'execution run',
  summary: 'Start an execution of a flow',
  usage: 'NAMESPACE FLOW',
  positionals: { min: 2, max: 2 },
  options: {
    input: {
      type: 'string',
      short: 'i',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'an input, or NAME=@FILE; may be repeated',
    },
    label: {
      type: 'string',
      short: 'l',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'a label; may be repeated',
    },
    revision: { type: 'string', value: 'N', help: 'a certain revision of the flow (default the latest)' },
    follow,
    wait: { type: 'boolean', help: 'wait for the end without printing the log' },
    ...clientOptions,
  },
  details: 'With --follow or --wait the exit code is 1 when the execution does not end well.',
  run: async ({ values, positionals: [namespace = '', id = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const form = await inputForm(values.input);
    const execution = await client.call(executions.triggerExecutionByAlias, {
      params: { namespace, id },
      query: {
        labels: readPairs('label', values.label).map((pair) => pair.join(':')),
        wait: values.wait === true,
        revision: values.revision,
      },
      ...(form ? { body: form } : {}),
    });
    return goOn(execution, values, surroundings);
  },
});

export const executionFollow = defineCommand({
  name: 'execution follow',
  summary: 'Print the log of an execution until it ends; fails when the execution does',
  ...byId,
  options: clientOptions,
  run: async ({ values, positionals: [id = ''] }, surroundings) =>
    (await watchExecution(connect(values, surroundings), id, surroundings)).code,
});

export const executionLogs = defineCommand({
  name: 'execution logs',
  summary: 'Print the log of an execution',
  ...byId,
  options: {
    level: {
      type: 'string',
      value: 'LEVEL',
      choices: ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'],
      help: 'this level and above',
    },
    task: { type: 'string', value: 'TASK', help: 'only of one task' },
    ...clientOptions,
  },
  run: async ({ values, positionals: [executionId = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const entries = await client.call(logs.listLogs, {
      params: { executionId },
      query: { minLevel: values.level, taskId: values.task },
    });
    // An execution that does not exist has an empty log too; a script should not take it for a quiet one.
    if (entries.length === 0) await client.call(executions.getExecution, { params: { executionId } });
    if (isJson(values, surroundings)) printJson(surroundings.out, entries);
    else for (const entry of entries) surroundings.out.write(lineOf(entry));
    return exitCodes.done;
  },
});

export const executionKill = defineCommand({
  name: 'execution kill',
  summary: 'Stop an execution and its children',
  ...byId,
  options: clientOptions,
  run: async ({ values, positionals: [executionId = ''] }, surroundings) => {
    await connect(values, surroundings).call(executions.killExecution, { params: { executionId } });
    tell(values, surroundings, `killing  ${executionId}`, { killing: executionId });
    return exitCodes.done;
  },
});

export const executionRestart = defineCommand({
  name: 'execution restart',
  summary: 'Run the failed tasks of an execution again',
  ...byId,
  options: { follow, ...clientOptions },
  run: async ({ values, positionals: [executionId = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const execution = await client.call(executionActions.restartExecution, { params: { executionId } });
    return goOn(execution, values, surroundings);
  },
});

export const executionReplay = defineCommand({
  name: 'execution replay',
  summary: 'Run an execution again as a new one, from the start or from a task run',
  ...byId,
  options: {
    'task-run': { type: 'string', value: 'ID', help: 'start at this task run and keep what came before' },
    revision: { type: 'string', value: 'N', help: 'with a certain revision of the flow' },
    follow,
    ...clientOptions,
  },
  run: async ({ values, positionals: [executionId = ''] }, surroundings) => {
    const execution = await connect(values, surroundings).call(executionActions.replayExecution, {
      params: { executionId },
      query: { taskRunId: values['task-run'], revision: values.revision },
    });
    return goOn(execution, values, surroundings);
  },
});

/** Prints the execution's id, and watches it on request. */
async function goOn(
  execution: Execution,
  values: Values<typeof clientOptions> & { readonly follow?: boolean },
  surroundings: Surroundings,
) {
  const isData = isJson(values, surroundings);
  const say = (last: Execution) => {
    if (isData) printJson(surroundings.out, last);
    else if (!values.follow) surroundings.out.write(`${last.id} ${last.state.current}\n`);
  };
  if (!values.follow) {
    say(execution);
    return codeOf(execution);
  }
  const quiet = { ...surroundings, out: { ...surroundings.out, write: () => {} } };
  const watched = await watchExecution(
    connect(values, surroundings),
    execution.id,
    isData ? quiet : surroundings,
  );
  say(watched.execution);
  return watched.code;
}
