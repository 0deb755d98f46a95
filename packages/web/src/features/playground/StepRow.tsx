import { Button, Textarea } from '@mantine/core';
import type { playground } from '@millrace/contract';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DateAgo } from '../../ui/index.ts';
import { readMap } from '../dryRun/index.ts';
import { ExecutionLink } from '../executions/index.ts';
import styles from './PlaygroundSide.module.css';
import type { FlowName } from './queries.ts';

interface StepRowProps {
  readonly step: playground.PlaygroundStep;
  readonly flow: FlowName;
  readonly isChosen: boolean;
  /** It runs although its outputs are known. */
  readonly isAgain: boolean;
  /** The JSON of its pinned outputs. */
  readonly pinned: string | undefined;
  onAgain(isAgain: boolean): void;
  onPin(text: string | undefined): void;
}

/** One task of the plan: whether it runs, where its outputs come from, and what can be chosen instead. */
export function StepRow({ step, flow, isChosen, isAgain, pinned, onAgain, onPin }: StepRowProps) {
  const { t } = useTranslation();
  const { taskId, action, executionId, at, outputs } = step;
  return (
    <li className={styles.step} data-action={action} data-chosen={isChosen || undefined}>
      <div className={styles.row}>
        <code className={styles.name}>{taskId}</code>
        <span className={styles.action} data-action={action}>
          {t(`playground.action.${action}`)}
        </span>
        {executionId !== undefined && (
          <ExecutionLink namespace={flow.namespace} flowId={flow.id} id={executionId} className={styles.from}>
            {at ? <DateAgo value={at} /> : executionId}
          </ExecutionLink>
        )}
        {!isChosen && (
          <span className={styles.tools}>
            {(action === 'reuse' || isAgain) && (
              <Button
                size="compact-xs"
                variant={isAgain ? 'filled' : 'subtle'}
                aria-pressed={isAgain}
                onClick={() => onAgain(!isAgain)}
              >
                {t('playground.again')}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant={pinned === undefined ? 'subtle' : 'filled'}
              aria-pressed={pinned !== undefined}
              onClick={() => onPin(pinned === undefined ? JSON.stringify(outputs ?? {}, null, 2) : undefined)}
            >
              {t('dryRun.pin')}
            </Button>
          </span>
        )}
      </div>
      {pinned !== undefined && !isChosen && (
        <Textarea
          size="xs"
          autosize
          minRows={2}
          maxRows={12}
          label={t('dryRun.pinned')}
          classNames={{ input: styles.code ?? '' }}
          value={pinned}
          error={readMap(pinned) ? undefined : t('dryRun.notJson')}
          onChange={(event) => onPin(event.currentTarget.value)}
        />
      )}
    </li>
  );
}
