import { Tabs } from '@mantine/core';
import { executions, type Flow, type Label } from '@millrace/contract';
import { Fragment } from 'react';
import { urlOf } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import type { InputValues } from '../inputs/inputValues.ts';
import styles from './StartCommands.module.css';

type StartCommandsProps = Parameters<typeof curlCommand>[0] & { flow: Flow };

const webhookTab = 'Webhook';

/** The same start from a terminal: by cURL, by the command line, and by the flow's webhooks. */
export function StartCommands(props: StartCommandsProps) {
  const { t } = useTranslation();
  const { origin } = window.location;
  const commands = { cURL: curlCommand(props, origin), CLI: cliCommand(props, origin) };
  const webhooks = webhookStarts(props, origin);
  return (
    <Tabs defaultValue="cURL" keepMounted={false} className={styles.commands ?? ''}>
      <Tabs.List>
        {Object.keys(commands).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
        {webhooks.length > 0 && <Tabs.Tab value={webhookTab}>{webhookTab}</Tabs.Tab>}
      </Tabs.List>
      {Object.entries(commands).map(([name, line]) => (
        <Tabs.Panel key={name} value={name}>
          <CodeBlock>
            <code className="language-bash">{line}</code>
          </CodeBlock>
          {needsRealValues(props.flow) && <p className={styles.note}>{t('execute.curlReal')}</p>}
        </Tabs.Panel>
      ))}
      <Tabs.Panel value={webhookTab}>
        {webhooks.map((start) => (
          <Fragment key={start.triggerId}>
            {'missing' in start && (
              <p className={styles.note}>
                {t('execute.webhookMissing', {
                  trigger: start.triggerId,
                  inputs: start.missing.join(', '),
                })}
              </p>
            )}
            <CodeBlock>
              <code className={'missing' in start ? 'language-yaml' : 'language-bash'}>
                {'missing' in start ? start.example : start.command}
              </code>
            </CodeBlock>
          </Fragment>
        ))}
      </Tabs.Panel>
    </Tabs>
  );
}

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

/** How a webhook starts the flow: by a command, or not before the trigger sets these inputs. */
type WebhookStart =
  | { readonly triggerId: string; readonly command: string }
  | { readonly triggerId: string; readonly missing: readonly string[]; readonly example: string };

/**
 * The start by each webhook of the flow. A call sets no inputs itself: the trigger's `inputs` take them from the body or the
 * query, so the command sends the parts that they read. A key that is an expression is only known to the server.
 */
export function webhookStarts(
  {
    flow: { namespace, id, inputs = [], triggers = [] },
    values,
  }: Pick<Started, 'values'> & { flow: Started['flow'] & Pick<Flow, 'triggers'> },
  origin: string,
): WebhookStart[] {
  const needed = inputs.filter(
    ({ required, defaults, dependsOn }) => required !== false && defaults === undefined && !dependsOn,
  );
  return triggers.flatMap((trigger): WebhookStart[] => {
    if (!/(^|\.)trigger\.Webhook$/.test(trigger.type) || trigger.disabled === true) return [];
    const set = settings(trigger.inputs);
    const missing = needed.flatMap((input) => (Object.hasOwn(set, input.id) ? [] : [input.id]));
    if (missing.length > 0) {
      const lines = missing.map((name) => `  ${name}: "{{ trigger.body.${name} }}"`);
      return [{ triggerId: trigger.id, missing, example: ['inputs:', ...lines].join('\n') }];
    }
    const key = typeof trigger.key === 'string' && !trigger.key.includes('{{') ? trigger.key : 'KEY';
    const url = origin + urlOf(executions.webhookByPost, { params: { namespace, id, key } });
    const givenFor = (name: string) =>
      inputs.find((input) => input.id === name)?.type === 'SECRET' ? '******' : values[name];
    return [{ triggerId: trigger.id, command: webhookCommand(url, set, givenFor) }];
  });
}

const settings = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Sends what the expressions of the inputs read from the call, with the values of the form where they are known. */
function webhookCommand(
  url: string,
  set: Readonly<Record<string, unknown>>,
  givenFor: (input: string) => unknown,
): string {
  const query = new Map<string, string>();
  const body = new Map<string, unknown>();
  let hasWholeBody = false;
  for (const [input, given] of Object.entries(set)) {
    const expression = typeof given === 'string' ? given : JSON.stringify(given);
    const value = givenFor(input);
    const known = value === undefined || value === '' || value instanceof File ? undefined : value;
    for (const [whole, part = '', plain, bracketed = ''] of expression.matchAll(callPart)) {
      const name = plain ?? bracketed;
      // The value of the form is the part itself only when nothing else is in the expression.
      const isAlone = new RegExp(
        `^\\s*\\{\\{\\s*${escaped(whole)}(\\[0\\]|\\s*\\|\\s*first)?\\s*\\}\\}\\s*$`,
      ).test(expression);
      const sent = isAlone && known !== undefined ? known : name.toUpperCase();
      if (part === 'parameters') query.set(name, typeof sent === 'string' ? sent : JSON.stringify(sent));
      else if (name !== '') body.set(name, sent);
      else hasWholeBody = true;
    }
  }
  const asked = query.size > 0 ? `?${new URLSearchParams([...query])}` : '';
  const data = body.size > 0 ? JSON.stringify(Object.fromEntries(body)) : hasWholeBody ? 'BODY' : undefined;
  return [
    `curl -X POST ${quoted(url + asked)}`,
    ...(body.size > 0 ? [`-H 'content-type: application/json'`] : []),
    ...(data === undefined ? [] : [`-d ${quoted(data)}`]),
  ].join(' \\\n  ');
}

/** A part of the call in an expression: `trigger.body`, `trigger.body.name` or `trigger.parameters.name`. */
const callPart = /\btrigger\.(body|parameters)(?:\.(\w+)|\[['"]([^'"]+)['"]\])?/g;
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the command cannot work as it stands. */
export const needsRealValues = ({ inputs = [] }: Pick<Flow, 'inputs'>): boolean =>
  inputs.some(({ type }) => type === 'SECRET' || type === 'FILE');

/** For a shell: nothing inside single quotes means anything. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
