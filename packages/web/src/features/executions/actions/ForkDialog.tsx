import { Radio, Switch } from '@mantine/core';
import { type Execution, executionActions, type TaskRun } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CodeEditor } from '../../../ui/code/index.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import formStyles from '../../../ui/dialog/DialogForm.module.css';
import { Loading } from '../../../ui/index.ts';
import { executionSourceQuery } from '../queries.ts';
import { useExecutionMutation } from './executionActions.ts';
import styles from './ForkDialog.module.css';

interface ForkDialogProps {
  execution: Execution;
  /** Where the fork begins. */
  run: TaskRun;
  onClose: () => void;
}

const asJson = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);

/** Continues an execution from a task run on as a new one, with other outputs, inputs or flow text. */
export function ForkDialog({ execution, run, onClose }: ForkDialogProps) {
  const { t } = useTranslation();
  const id = run.taskId;
  const [start, setStart] = useState<'after' | 'again'>('after');
  const [outputs, setOutputs] = useState(() => asJson(run.outputs));
  const [inputs, setInputs] = useState<string>();
  const [source, setSource] = useState<string>();
  const [wantsSource, setWantsSource] = useState(false);
  const original = useQuery({ ...executionSourceQuery(execution), enabled: wantsSource });
  const act = useExecutionMutation({ execution, done: t('fork.done'), onDone: onClose });
  const readOutputs = start === 'after' ? readObject(outputs) : undefined;
  const readInputs = inputs === undefined ? undefined : readObject(inputs);
  const problemOf = (read: ReturnType<typeof readObject> | undefined) =>
    read && 'problem' in read ? t(`fork.${read.problem}`, { reason: read.reason ?? '' }) : undefined;

  const text = wantsSource ? (source ?? original.data) : undefined;
  // The server also knows every plugin; what is wrong without them is shown while typing.
  const issues = useMemo(() => (text === undefined ? [] : parseFlow(text).issues), [text]);
  const mistake = issues.find(({ severity }) => severity === 'error');

  const fork = () =>
    call(executionActions.forkExecution, {
      params: { executionId: execution.id, taskRunId: run.id },
      query: { packed: true },
      body: {
        ...(readOutputs && 'value' in readOutputs && { outputs: readOutputs.value }),
        ...(readInputs && 'value' in readInputs && { inputs: readInputs.value }),
        ...(text !== undefined && text !== original.data && { source: text }),
      },
      failures: 'handled',
    });
  return (
    <ActionDialog
      title={t('fork.title', { id })}
      confirm={t('fork.open')}
      size="xl"
      canConfirm={!problemOf(readOutputs) && !problemOf(readInputs) && !mistake}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate(fork)}
      onClose={onClose}
    >
      <p className={formStyles.text}>{t('fork.text')}</p>
      <Radio.Group
        label={t('fork.start')}
        value={start}
        onChange={(value) => setStart(value === 'again' ? 'again' : 'after')}
      >
        <div className={formStyles.choices}>
          <Radio value="after" label={t('fork.after', { id })} />
          <Radio value="again" label={t('fork.again', { id })} />
        </div>
      </Radio.Group>
      {start === 'after' && (
        <CodeField label={t('fork.outputs', { id })} problem={problemOf(readOutputs)}>
          <CodeEditor
            ariaLabel={t('fork.outputs', { id })}
            language="javascript"
            path={`fork-${run.id}-outputs.json`}
            value={outputs}
            onChange={setOutputs}
          />
        </CodeField>
      )}
      <Switch
        label={t('fork.changeInputs')}
        checked={inputs !== undefined}
        onChange={(event) => setInputs(event.currentTarget.checked ? asJson(execution.inputs) : undefined)}
      />
      {inputs !== undefined && (
        <CodeField label={t('fork.inputs')} problem={problemOf(readInputs)}>
          <CodeEditor
            ariaLabel={t('fork.inputs')}
            language="javascript"
            path={`fork-${run.id}-inputs.json`}
            value={inputs}
            onChange={setInputs}
          />
        </CodeField>
      )}
      <Switch
        label={t('fork.changeSource')}
        description={t('fork.sourceHint')}
        checked={wantsSource}
        onChange={(event) => setWantsSource(event.currentTarget.checked)}
      />
      {wantsSource && (
        <CodeField label={t('fork.source')} problem={original.error?.message ?? mistake?.message} tall>
          {text === undefined ? (
            <Loading />
          ) : (
            <Suspense fallback={<Loading />}>
              <CodeEditor
                ariaLabel={t('fork.source')}
                language="yaml"
                value={text}
                markers={issues}
                onChange={setSource}
              />
            </Suspense>
          )}
        </CodeField>
      )}
    </ActionDialog>
  );
}

interface CodeFieldProps {
  label: string;
  problem: string | undefined;
  tall?: boolean;
  children: ReactNode;
}

function CodeField({ label, problem, tall = false, children }: CodeFieldProps) {
  return (
    <div>
      <span className={styles.label}>{label}</span>
      <div className={styles.editor} data-tall={tall || undefined}>
        {children}
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

type ReadObject =
  | { readonly value: Record<string, unknown> }
  | { readonly problem: 'notJson' | 'notObject'; readonly reason?: string };

/** A text that must be a JSON object; an empty one is an empty object. */
export function readObject(text: string): ReadObject {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value: { ...value } }
      : { problem: 'notObject' };
  } catch (error) {
    return { problem: 'notJson', reason: error instanceof Error ? error.message : String(error) };
  }
}
