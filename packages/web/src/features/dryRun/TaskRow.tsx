import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { StatePill } from '../../ui/values/StatePill.tsx';
import { type Choices, readMap } from './choices.ts';
import styles from './DryRunSide.module.css';
import type { ShownTask } from './runInWorker.ts';

interface TaskRowProps {
  readonly task: ShownTask;
  readonly choices: Choices;
  onChange(part: Partial<Choices>): void;
  onJump(line: number): void;
}

/** One task: its state, and on demand its values, its outputs and what can be chosen for it. */
export function TaskRow({ task, choices, onChange, onJump }: TaskRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  const pinned = choices.pinned[task.id];
  const isFailing = choices.failing.includes(task.id);
  return (
    <li className={styles.task} data-untaken={task.runs === 0}>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.name}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
        >
          <code>{task.id}</code>
          {task.runs > 1 && <span className={styles.muted}>×{task.runs}</span>}
        </button>
        {task.source && (
          <span className={styles.source} data-source={task.source}>
            {t(`dryRun.source.${task.source}`)}
          </span>
        )}
        {task.state ? (
          <StatePill state={task.state} size="sm" still />
        ) : (
          <span className={styles.muted}>{t('dryRun.untaken')}</span>
        )}
      </div>
      {isOpen && (
        <div id={bodyId} className={styles.details}>
          <div className={styles.actions}>
            {task.canFix && (
              <Button
                size="compact-xs"
                variant={isFailing ? 'filled' : 'default'}
                aria-pressed={isFailing}
                onClick={() =>
                  onChange({
                    failing: isFailing
                      ? choices.failing.filter((id) => id !== task.id)
                      : [...choices.failing, task.id],
                  })
                }
              >
                {t('dryRun.fail')}
              </Button>
            )}
            {task.canFix && (
              <Button
                size="compact-xs"
                variant={pinned === undefined ? 'default' : 'filled'}
                aria-pressed={pinned !== undefined}
                onClick={() => {
                  const { [task.id]: _, ...others } = choices.pinned;
                  const text = JSON.stringify(task.outputs ?? {}, null, 2);
                  onChange({ pinned: pinned === undefined ? { ...others, [task.id]: text } : others });
                }}
              >
                {t('dryRun.pin')}
              </Button>
            )}
            {task.line !== undefined && (
              <Button size="compact-xs" variant="subtle" onClick={() => task.line && onJump(task.line)}>
                {t('editor.line', { line: task.line })}
              </Button>
            )}
          </div>
          {task.branches.length > 0 && (
            <NativeSelect
              size="xs"
              label={t('dryRun.branch')}
              value={choices.branches[task.id] ?? ''}
              data={[
                { value: '', label: t('dryRun.asComputed') },
                ...task.branches.map((branch) => ({ value: branch, label: branch })),
              ]}
              onChange={(event) =>
                onChange({ branches: { ...choices.branches, [task.id]: event.currentTarget.value } })
              }
            />
          )}
          {pinned !== undefined && (
            <Textarea
              size="xs"
              autosize
              minRows={3}
              maxRows={14}
              label={t('dryRun.pinned')}
              classNames={{ input: styles.code ?? '' }}
              value={pinned}
              error={readMap(pinned) ? undefined : t('dryRun.notJson')}
              onChange={(event) =>
                onChange({ pinned: { ...choices.pinned, [task.id]: event.currentTarget.value } })
              }
            />
          )}
          {task.properties.length > 0 && (
            <dl className={styles.values}>
              {task.properties.map(({ path, value, error, isAssumed }) => (
                <div key={path} data-error={error !== undefined} data-assumed={isAssumed}>
                  <dt>{lastOf(path)}</dt>
                  <dd>{error ?? value}</dd>
                </div>
              ))}
            </dl>
          )}
          {task.outputs && pinned === undefined && (
            <>
              <h4>{t('dryRun.outputs')}</h4>
              <pre className={styles.code}>{cut(JSON.stringify(task.outputs, null, 2))}</pre>
            </>
          )}
          {task.logs.length > 0 && (
            <>
              <h4>{t('dryRun.logs')}</h4>
              <pre className={styles.code}>{cut(task.logs.join('\n'))}</pre>
            </>
          )}
        </div>
      )}
    </li>
  );
}

/** The property below the task: `tasks[0].headers.accept` reads `headers.accept`. */
const lastOf = (path: string): string => path.replace(/^.*\](?:\.task)?\.(?=[^\]]*$)/, '') || path;

const maxCharacters = 5_000;

const cut = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
