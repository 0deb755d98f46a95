import { type Execution, isTerminal, type TaskRun } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Card, DateTime, Duration, Fact, Facts, Id, StatePill, Tags } from '../../../ui/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { hasOutputs } from '../../iterations/index.ts';
import { ActorName } from '../ActorName.tsx';
import { ExecutionReferenceLink, parentOf } from '../ExecutionLink.tsx';
import { executionGraph } from '../queries.ts';
import styles from './ExecutionOverview.module.css';
import { ForkFacts, originOf } from './ForkFacts.tsx';
import { type ExecutionTabProps, Topology } from './tabParts.ts';
import { ValueTree } from './ValueTree.tsx';

/** How far an execution has come, what it made of what, and its facts. */
export function ExecutionOverview({ execution }: ExecutionTabProps) {
  const { t } = useTranslation();
  const { state, metadata, labels, inputs, variables, trigger } = execution;
  const parent = parentOf(execution);
  // A fork names its origin once, not also as the execution that started and that was replayed.
  const origin = originOf(execution);
  const changedAt = state.histories.at(-1)?.date;
  return (
    <div className={styles.overview}>
      <GraphPreview execution={execution} />
      <div className={styles.column}>
        <Values title={t('execution.outputs')} values={resultsOf(execution)} executionId={execution.id} />
        <Values title={t('execution.inputs')} values={inputs} executionId={execution.id} />
        <Values
          title={t('execution.trigger')}
          values={trigger && { ...trigger }}
          executionId={execution.id}
        />
        <Values title={t('execution.variables')} values={variables} executionId={execution.id} />
      </div>
      <div className={styles.column}>
        <Card title={t('execution.facts')}>
          <Facts>
            <Fact name={t('execution.flow')}>
              <FlowLink namespace={execution.namespace} id={execution.flowId}>
                {execution.namespace}.{execution.flowId}
              </FlowLink>
            </Fact>
            <Fact name={t('flow.revision')}>
              {execution.flowRevision < 0 ? t('fork.draft') : execution.flowRevision}
            </Fact>
            <Fact name={t('execution.id')}>
              <Id value={execution.id} />
            </Fact>
            <Fact name={t('execution.created')}>
              <DateTime value={metadata.originalCreatedDate} />
            </Fact>
            {changedAt && (
              <Fact name={t('execution.updated')}>
                <DateTime value={changedAt} />
              </Fact>
            )}
            {state.endDate && isTerminal(state.current) && (
              <Fact name={t('execution.end')}>
                <DateTime value={state.endDate} />
              </Fact>
            )}
            <Fact name={t('execution.attempt')}>{metadata.attemptNumber}</Fact>
            {execution.scheduleDate && (
              <Fact name={t('execution.scheduled')}>
                <DateTime value={execution.scheduleDate} />
              </Fact>
            )}
            {(parent ?? (execution.parentId !== origin && execution.parentId)) && (
              <Fact name={t('execution.parent')}>
                {parent ? <ExecutionReferenceLink {...parent} /> : <Id value={execution.parentId ?? ''} />}
              </Fact>
            )}
            {execution.originalId !== execution.id && execution.originalId !== origin && (
              <Fact name={t('execution.original')}>
                <ExecutionReferenceLink {...execution} id={execution.originalId} />
              </Fact>
            )}
            <ForkFacts execution={execution} />
            {labels.length > 0 && (
              <Fact name={t('flow.labels')}>
                <Tags items={labels} max={12} wrap />
              </Fact>
            )}
          </Facts>
        </Card>
        <Card title={t('execution.history')}>
          <ol className={styles.history}>
            {state.histories.map(({ state: step, date, by }, index) => (
              <li key={`${step}${date}`}>
                <StatePill state={step} still />
                {!isTerminal(step) && (
                  <span className={styles.lasted}>
                    <Duration from={date} to={state.histories[index + 1]?.date} />
                  </span>
                )}
                {/* Without authentication every start has the same name. */}
                {by && (index > 0 || by.type !== 'anonymous') && <ActorName actor={by} />}
                <span className={styles.quiet}>
                  <DateTime value={date} />
                </span>
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </div>
  );
}

/** Larger graphs are unreadable in a small frame. */
const previewedNodes = 60;

/** The graph, small and live; a task leads to it in the topology. */
function GraphPreview({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}' });
  const { queryKey, draw } = executionGraph(execution.id);
  const { data: graph } = useQuery({ queryKey, queryFn: (context) => draw(undefined, context) });
  if (!graph || graph.nodes.length > previewedNodes) return null;
  const runs = execution.taskRunList ?? [];
  return (
    <section className={styles.graph} aria-label={t('flow.tab.topology')}>
      <Suspense>
        <Topology
          graph={graph}
          execution={execution}
          selectedTaskId={runToWatch(runs)?.taskId}
          isPreview
          onSelect={({ task }) =>
            void navigate({
              params: (old) => ({ ...old, tab: 'topology' }),
              search: (old) => ({
                ...old,
                taskRunId: runs.findLast(({ taskId }) => taskId === task?.id)?.id,
              }),
            })
          }
        />
      </Suspense>
    </section>
  );
}

/** The innermost task run that failed or runs. */
const runToWatch = (runs: readonly TaskRun[]): TaskRun | undefined =>
  runs.findLast(({ state }) => state.current === 'FAILED') ??
  runs.findLast(({ state }) => state.current === 'RUNNING');

const namedTasks = 10;

/** The outputs of the flow; of the last tasks outside of loops when the flow declares none. */
function resultsOf({ outputs, taskRunList = [] }: Execution): Record<string, unknown> | undefined {
  if (outputs && Object.keys(outputs).length > 0) return outputs;
  const runs = taskRunList.filter((run) => run.value === undefined && hasOutputs(run));
  return Object.fromEntries(runs.slice(-namedTasks).map(({ taskId, outputs: made }) => [taskId, made]));
}

interface ValuesProps {
  title: string;
  values: Record<string, unknown> | undefined;
  executionId: string;
}

function Values({ title, values, executionId }: ValuesProps) {
  if (!values || Object.keys(values).length === 0) return null;
  return (
    <Card title={title}>
      <ValueTree values={values} executionId={executionId} openLevels={1} />
    </Card>
  );
}
