import { executions, type Flow, type Label } from '@millrace/contract';
import { urlOf } from '../../../api/call.ts';
import type { InputValues } from '../inputs/inputValues.ts';

interface Started {
  flow: Pick<Flow, 'namespace' | 'id' | 'inputs'>;
  values: InputValues;
  labels: readonly Label[];
  scheduleDate?: string | undefined;
}

/** The command that starts a flow as the form would. What a form must not show, or a text cannot hold, is marked. */
export function curlCommand({ flow, values, labels, scheduleDate }: Started, origin: string): string {
  const url = urlOf(executions.triggerExecution, {
    params: { namespace: flow.namespace, id: flow.id },
    query: {
      wait: false,
      labels: labels.filter(({ key, value }) => key && value).map(({ key, value }) => `${key}:${value}`),
      scheduleDate,
    },
  });
  const parts = (flow.inputs ?? []).flatMap(({ id, type }) => {
    const value = values[id];
    if (value === undefined || value === '') return [];
    if (value instanceof File) return [`files=@${value.name};filename=${id}`];
    if (type === 'SECRET') return [`${id}=******`];
    return [`${id}=${Array.isArray(value) ? JSON.stringify(value) : value}`];
  });
  return [`curl -X POST ${quoted(origin + url)}`, ...parts.map((part) => `-F ${quoted(part)}`)].join(
    ' \\\n  ',
  );
}

/** The server of the command line unless another one is given. */
const defaultServer = 'http://localhost:8080';

/** The same start with the command line. */
export function cliCommand({ flow, values, labels }: Started, origin: string): string {
  const inputs = (flow.inputs ?? []).flatMap(({ id, type }) => {
    const value = values[id];
    if (value === undefined || value === '') return [];
    if (value instanceof File) return [`--input ${quoted(`${id}=@${value.name}`)}`];
    if (type === 'SECRET') return [`--input ${quoted(`${id}=******`)}`];
    return [`--input ${quoted(`${id}=${Array.isArray(value) ? JSON.stringify(value) : value}`)}`];
  });
  const set = labels
    .filter(({ key, value }) => key && value)
    .map(({ key, value }) => `--label ${quoted(`${key}=${value}`)}`);
  const server = origin === defaultServer ? [] : [`--server ${quoted(origin)}`];
  return [`millrace execution run ${flow.namespace} ${flow.id}`, ...server, ...inputs, ...set].join(
    ' \\\n  ',
  );
}

/** One command per webhook of the flow. A key that is an expression is only known to the server. */
export function webhookCommands(
  { namespace, id, triggers = [] }: Pick<Flow, 'namespace' | 'id' | 'triggers'>,
  origin: string,
): string[] {
  return triggers.flatMap((trigger) => {
    if (!/(^|\.)trigger\.Webhook$/.test(trigger.type)) return [];
    const key = typeof trigger.key === 'string' && !trigger.key.includes('{{') ? trigger.key : 'KEY';
    const url = urlOf(executions.webhookByPost, { params: { namespace, id, key } });
    return [`curl -X POST ${quoted(origin + url)}`];
  });
}

/** Whether the command cannot work as it stands. */
export const needsRealValues = ({ inputs = [] }: Pick<Flow, 'inputs'>): boolean =>
  inputs.some(({ type }) => type === 'SECRET' || type === 'FILE');

/** For a shell: nothing inside single quotes means anything. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
