import { Tabs } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { Fragment } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import styles from './StartCommands.module.css';
import { cliCommand, curlCommand, needsRealValues, webhookStarts } from './startCommands.ts';

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
