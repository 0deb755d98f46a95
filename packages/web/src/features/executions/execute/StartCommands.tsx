import { Tabs } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import styles from './StartCommands.module.css';
import { cliCommand, curlCommand, needsRealValues, webhookCommands } from './startCommands.ts';

type StartCommandsProps = Parameters<typeof curlCommand>[0] & { flow: Flow };

/** The same start from a terminal: by cURL, by the command line, and by the flow's webhooks. */
export function StartCommands(props: StartCommandsProps) {
  const { t } = useTranslation();
  const { origin } = window.location;
  const commands = {
    cURL: [curlCommand(props, origin)],
    CLI: [cliCommand(props, origin)],
    Webhook: webhookCommands(props.flow, origin),
  };
  return (
    <Tabs defaultValue="cURL" keepMounted={false} className={styles.commands ?? ''}>
      <Tabs.List>
        {Object.entries(commands).map(
          ([name, lines]) =>
            lines.length > 0 && (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ),
        )}
      </Tabs.List>
      {Object.entries(commands).map(([name, lines]) => (
        <Tabs.Panel key={name} value={name}>
          {lines.map((line) => (
            <CodeBlock key={line}>
              <code className="language-bash">{line}</code>
            </CodeBlock>
          ))}
          {name !== 'Webhook' && needsRealValues(props.flow) && (
            <p className={styles.note}>{t('execute.curlReal')}</p>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
