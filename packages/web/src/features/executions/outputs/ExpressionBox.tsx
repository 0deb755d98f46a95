import { ActionIcon, Combobox, Menu, Textarea } from '@mantine/core';
import { type Execution, executionActions, executions, type TaskRun } from '@millrace/contract';
import { IconClock, IconPlayerPlay } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { z } from 'zod';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { readStored, useStored, writeStored } from '../../../storage/storage.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { CopyButton } from '../../../ui/index.ts';
import { useInstant } from '../../../ui/instant.ts';
import { executionValues, language, useCompletions } from '../../language/index.ts';
import { ValueTree } from '../page/ValueTree.tsx';
import styles from './ExpressionBox.module.css';

interface ExpressionBoxProps {
  execution: Execution;
  /** Whose values the expression sees; the execution's own without one. */
  run: Pick<TaskRun, 'id' | 'taskId'> | undefined;
}

/**
 * Evaluates an expression with what a task run knows. Tab completes, and Enter evaluates unless the arrow keys chose a
 * completion. Up brings back the last expression.
 */
export function ExpressionBox({ execution, run }: ExpressionBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const instant = useInstant();
  const recent = useRecentExpressions();
  const complete = useExecutionCompletions(execution);
  const completion = useCompletions({ text, onText: setText, complete });
  const { found, combobox } = completion;
  const hasChosen = useRef(false);
  const evaluation = useMutation({
    mutationFn: (expression: string) => evaluate(expression, execution.id, run?.id),
    onSuccess: (_, expression) => rememberExpression(expression),
  });
  const submit = (expression: string) => {
    completion.close();
    if (expression.trim() !== '') evaluation.mutate(expression.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && found.length > 0) {
      event.stopPropagation();
      return completion.close();
    }
    if (event.key === 'ArrowUp' && text === '' && recent[0] !== undefined) {
      event.preventDefault();
      return setText(recent[0]);
    }
    const hasCompletions = found.length > 0 && combobox.getSelectedOptionIndex() >= 0;
    if (hasCompletions && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) hasChosen.current = true;
    if (event.key === 'Tab' && hasCompletions && !event.shiftKey) {
      event.preventDefault();
      return combobox.clickSelectedOption();
    }
    const isChoosing = hasCompletions && hasChosen.current && !event.ctrlKey && !event.metaKey;
    if (event.key !== 'Enter' || event.shiftKey || isChoosing) return;
    event.preventDefault();
    submit(text);
  };
  const label = run ? t('expression.in', { id: run.taskId }) : t('expression.inExecution');
  return (
    <section className={styles.box} aria-label={t('expression.title')}>
      <div className={styles.line}>
        <Combobox store={combobox} position="bottom-start" onOptionSubmit={completion.choose}>
          <Combobox.DropdownTarget>
            <div className={styles.field}>
              {/* A field of text may not say that it is expanded. */}
              <Combobox.EventsTarget withAriaAttributes={false}>
                <Textarea
                  ref={completion.field}
                  classNames={{ input: styles.code ?? '' }}
                  autosize
                  minRows={1}
                  maxRows={8}
                  spellCheck={false}
                  aria-label={label}
                  aria-autocomplete="list"
                  placeholder={t('expression.placeholder', { label, example })}
                  value={text}
                  onChange={(event) => {
                    hasChosen.current = false;
                    setText(event.currentTarget.value);
                    completion.look();
                  }}
                  onSelect={completion.stay}
                  onBlur={completion.close}
                  onKeyDown={onKeyDown}
                />
              </Combobox.EventsTarget>
            </div>
          </Combobox.DropdownTarget>
          <Combobox.Dropdown hidden={found.length === 0}>
            <Combobox.Options mah={240} className={styles.options ?? ''}>
              {found.map(({ label: name }) => (
                <Combobox.Option key={name} value={name} className={styles.code ?? ''}>
                  {name}
                </Combobox.Option>
              ))}
            </Combobox.Options>
            <Combobox.Footer className={styles.note ?? ''}>{t('expression.keys')}</Combobox.Footer>
          </Combobox.Dropdown>
        </Combobox>
        <Recent
          recent={recent}
          onChoose={(expression) => {
            setText(expression);
            submit(expression);
          }}
        />
        <Hint label={t('expression.evaluate')}>
          <ActionIcon
            className={styles.evaluate ?? ''}
            size={34}
            aria-label={t('expression.evaluate')}
            color="brand"
            variant="filled"
            loading={evaluation.isPending}
            disabled={text.trim() === ''}
            onClick={() => submit(text)}
          >
            <IconPlayerPlay size={16} stroke={1.7} />
          </ActionIcon>
        </Hint>
      </div>
      {instant && <p className={styles.note}>{t('expression.present')}</p>}
      {evaluation.error && (
        <p className={styles.error} role="alert">
          {evaluation.error.message}
        </p>
      )}
      {evaluation.data && <Result result={evaluation.data} executionId={execution.id} />}
    </section>
  );
}

/** Shown in an empty box. */
const example = 'outputs.load.rows | length';

const evaluate = (expression: string, executionId: string, taskRunId: string | undefined) => {
  const request = { query: { typed: true }, body: asTemplate(expression), failures: 'handled' } as const;
  return taskRunId === undefined
    ? call(executionActions.evaluateExpression, { ...request, params: { executionId } })
    : call(executionActions.evaluateInTaskRun, { ...request, params: { executionId, taskRunId } });
};

function Recent({ recent, onChoose }: { recent: string[]; onChoose: (expression: string) => void }) {
  const { t } = useTranslation();
  if (recent.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={34}
          variant="default"
          aria-label={t('expression.recent')}
          title={t('expression.recent')}
        >
          <IconClock size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={styles.recent ?? ''}>
        {recent.map((expression) => (
          <Menu.Item key={expression} className={styles.code ?? ''} onClick={() => onChoose(expression)}>
            {expression}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Result({ result, executionId }: { result: executionActions.EvalResult; executionId: string }) {
  const { t } = useTranslation();
  if (result.error !== undefined)
    return (
      <p className={styles.error} role="alert">
        {result.error}
      </p>
    );
  const { value, type = 'STRING', result: text = '' } = result;
  const isTree = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return (
    <div className={styles.result} role="status">
      <span className={styles.type}>{t(`expression.type.${type}`)}</span>
      {isTree ? (
        <div className={styles.tree}>
          <ValueTree values={{ ...value }} executionId={executionId} />
        </div>
      ) : (
        <ValueTree
          values={{ [t('expression.value')]: value ?? (type === 'NULL' ? null : text) }}
          executionId={executionId}
        />
      )}
      {isTree && <CopyButton value={JSON.stringify(value, null, 2)} />}
    </div>
  );
}

const shapeQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), executionId, 'flow'],
    queryFn: ({ signal }) =>
      call(executions.getExecutionFlow, { params: { executionId }, signal, failures: 'handled' }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The execution that the language service knows: its values are sent when they are needed, and once. */
let known: { execution: Execution; flow: unknown } | undefined;

/** Completes with the values of an execution, and with the names of its flow. */
function useExecutionCompletions(execution: Execution) {
  const { data: flow } = useQuery(shapeQuery(execution.id));
  return (before: string) => {
    if (known?.execution !== execution || known.flow !== flow) {
      known = { execution, flow };
      void language.setExecution(executionValues(execution), JSON.stringify(flow ?? {}));
    }
    return language.completeInExecution(before);
  };
}

/** A text that is not a template yet is an expression. */
const asTemplate = (text: string): string => (/\{\{|\{%/.test(text) ? text : `{{ ${text} }}`);

const most = 20;
const RecentExpressions = z.array(z.string()).catch([]);

const parse = (stored: string | undefined): string[] => {
  try {
    return RecentExpressions.parse(JSON.parse(stored ?? '[]'));
  } catch {
    return [];
  }
};

/** The last expressions that were evaluated in this browser, newest first. */
const useRecentExpressions = (): string[] => parse(useStored('expressionsRecent'));

function rememberExpression(expression: string): void {
  const others = parse(readStored('expressionsRecent')).filter((one) => one !== expression);
  writeStored('expressionsRecent', JSON.stringify([expression, ...others].slice(0, most)));
}
