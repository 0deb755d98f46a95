import { Button, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { memo, type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading } from '../../ui/Loading.tsx';
import { StatePill } from '../../ui/values/StatePill.tsx';
import { handOverSuite, madeHere } from '../flowTests/index.ts';
import { type Choices, isChosen, keepChoices, noChoices, type OutputsFrom, readChoices } from './choices.ts';
import styles from './DryRunSide.module.css';
import { InputChoice } from './InputChoice.tsx';
import type { DryRunShown } from './runInWorker.ts';
import { TaskRow } from './TaskRow.tsx';
import { toSuite } from './toSuite.ts';
import { useDryRun } from './useDryRun.ts';

interface DryRunSideProps {
  readonly source: string;
  /** The flow that the text describes, once it does. */
  readonly flow: { readonly namespace: string; readonly id: string } | undefined;
  /** Only a stored flow can have tests. */
  readonly isSaved?: boolean | undefined;
  /** The graph of the flow, which shows the states. */
  readonly graph?: ReactNode;
  onShown(shown: DryRunShown | undefined): void;
  onJump(line: number): void;
}

/** The dry run of the text in the editor: its graph, its result, and everything that can be chosen for it. */
export function DryRunSide({ source, flow, isSaved, graph, onShown, onJump }: DryRunSideProps) {
  const { t } = useTranslation();
  const key = flow ? `${flow.namespace}/${flow.id}` : '';
  const [choices, setChoices] = useState<Choices>(() => readChoices(key));
  const { shown, unreadable, hasExecution, copied } = useDryRun(source, flow, choices);
  const navigate = useNavigate();
  const keep = () => {
    if (!flow || !shown) return;
    handOverSuite(toSuite(flow, shown, choices, copied));
    const { namespace, id } = flow;
    const to = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';
    void navigate({ to, params: { namespace, id, tab: 'tests' }, search: { record: madeHere } });
  };
  const change = useCallback(
    (part: Partial<Choices>) =>
      setChoices((before) => {
        const next = { ...before, ...part };
        keepChoices(key, next);
        return next;
      }),
    [key],
  );
  const report = useEffectEvent((result: DryRunShown | undefined) => onShown(result));
  useEffect(() => report(shown), [shown]);
  useEffect(() => () => report(undefined), []);

  return (
    <div className={styles.side}>
      {graph && <div className={styles.graph}>{graph}</div>}
      <section className={styles.panel} aria-label={t('dryRun.title')}>
        <div className={styles.bar}>
          <span className={styles.result} role="status">
            {shown ? <StatePill state={shown.execution.state.current} size="sm" still /> : t('dryRun.title')}
            {shown && (
              <span className={styles.muted}>
                {t('dryRun.took', { ms: Math.max(1, Math.round(shown.tookMs)) })}
              </span>
            )}
          </span>
          {isChosen(choices) && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => change({ ...noChoices, from: choices.from })}
            >
              {t('dryRun.reset')}
            </Button>
          )}
          {isSaved && flow && shown && (
            <Button size="compact-xs" variant="default" onClick={keep}>
              {t('dryRun.keep')}
            </Button>
          )}
          {hasExecution && (
            <SegmentedControl<OutputsFrom>
              size="xs"
              aria-label={t('dryRun.outputs')}
              data={[
                { value: 'execution', label: t('dryRun.fromExecution') },
                { value: 'generated', label: t('dryRun.fromSchema') },
              ]}
              value={choices.from}
              onChange={(from) => change({ from })}
            />
          )}
        </div>
        <div className={styles.body}>
          {unreadable !== undefined && (
            <p className={styles.note}>{t('dryRun.unreadable', { reason: unreadable })}</p>
          )}
          {!shown && unreadable === undefined && <Loading />}
          {shown && (
            <>
              {shown.stopped !== undefined && <p className={styles.note}>{shown.stopped}</p>}
              {shown.inputErrors.map((error) => (
                <p className={styles.note} key={error}>
                  {error}
                </p>
              ))}
              <Problems shown={shown} onJump={onJump} />
              <Inputs shown={shown} choices={choices} onChange={(inputs) => change({ inputs })} />
              <Tasks tasks={shown.tasks} choices={choices} onChange={change} onJump={onJump} />
              <Assumptions shown={shown} />
            </>
          )}
        </div>
      </section>
    </div>
  );
}

interface TasksProps {
  readonly tasks: DryRunShown['tasks'];
  readonly choices: Choices;
  onChange(part: Partial<Choices>): void;
  onJump(line: number): void;
}

/** The list renders again only when a result or a choice changes, not with every key. */
const Tasks = memo(function Tasks({ tasks, ...rest }: TasksProps) {
  return (
    <ul className={styles.tasks}>
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} {...rest} />
      ))}
    </ul>
  );
});

function Problems({ shown, onJump }: { shown: DryRunShown; onJump(line: number): void }) {
  const { t } = useTranslation();
  if (shown.problems.length === 0) return null;
  return (
    <ul className={styles.problems} aria-label={t('dryRun.problems')}>
      {shown.problems.map(({ taskId, line, message, isAssumed }) => (
        <li key={`${taskId ?? ''} ${line ?? ''} ${message}`} data-assumed={isAssumed}>
          <button
            type="button"
            disabled={line === undefined}
            onClick={() => line !== undefined && onJump(line)}
          >
            {taskId !== undefined && <code>{taskId}</code>} {message}
            {isAssumed && <em> {t('dryRun.maybe')}</em>}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface InputsProps {
  readonly shown: DryRunShown;
  readonly choices: Choices;
  onChange(inputs: Choices['inputs']): void;
}

function Inputs({ shown, choices, onChange }: InputsProps) {
  const { t } = useTranslation();
  if (shown.inputs.length === 0) return null;
  return (
    <details className={styles.part} open>
      <summary>{t('dryRun.inputs')}</summary>
      <div className={styles.inputs}>
        {shown.inputs.map(({ id, type, defaults, options }) => (
          <InputChoice
            key={id}
            id={id}
            type={type}
            options={options}
            placeholder={defaults ?? t('dryRun.generatedInput')}
            value={choices.inputs[id] ?? ''}
            onChange={(value) => onChange({ ...choices.inputs, [id]: value })}
          />
        ))}
      </div>
    </details>
  );
}

function Assumptions({ shown }: { shown: DryRunShown }) {
  const { t } = useTranslation();
  if (shown.assumptions.length === 0) return null;
  return (
    <details className={styles.part}>
      <summary>{t('dryRun.assumptions', { count: shown.assumptions.length })}</summary>
      <p className={styles.muted}>{t('dryRun.assumptionsText')}</p>
      <ul className={styles.assumed}>
        {shown.assumptions.map(({ kind, name }) => (
          <li key={`${kind} ${name}`}>
            {t(`dryRun.kind.${kind}`)} <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
