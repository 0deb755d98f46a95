import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DateTime, Id, StatePill, Tags } from '../../../ui/index.ts';
import { FlowLink } from '../../flows/index.ts';
import styles from './ExecutionOverview.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { ValueTree } from './ValueTree.tsx';

/** The facts of an execution and the values it was given and made. */
export function ExecutionOverview({ execution }: ExecutionTabProps) {
  const { t } = useTranslation();
  const { state, metadata, labels, inputs, outputs, variables, trigger } = execution;
  return (
    <div className={styles.overview}>
      <section className={styles.card}>
        <h2>{t('execution.facts')}</h2>
        <dl className={styles.facts}>
          <Fact name={t('execution.flow')}>
            <FlowLink namespace={execution.namespace} id={execution.flowId}>
              {execution.namespace}.{execution.flowId}
            </FlowLink>
          </Fact>
          <Fact name={t('flow.revision')}>{execution.flowRevision}</Fact>
          <Fact name={t('execution.id')}>
            <Id value={execution.id} />
          </Fact>
          <Fact name={t('execution.created')}>
            <DateTime value={metadata.originalCreatedDate} />
          </Fact>
          {state.endDate && (
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
          {execution.parentId && (
            <Fact name={t('execution.parent')}>
              <Id value={execution.parentId} />
            </Fact>
          )}
          {execution.originalId !== execution.id && (
            <Fact name={t('execution.original')}>
              <Id value={execution.originalId} />
            </Fact>
          )}
          {labels.length > 0 && (
            <Fact name={t('flow.labels')}>
              <Tags items={labels} max={12} wrap />
            </Fact>
          )}
        </dl>
      </section>
      <section className={styles.card}>
        <h2>{t('execution.history')}</h2>
        <ol className={styles.history}>
          {state.histories.map(({ state: step, date }) => (
            <li key={`${step}${date}`}>
              <StatePill state={step} still />
              <span className={styles.quiet}>
                <DateTime value={date} />
              </span>
            </li>
          ))}
        </ol>
      </section>
      <Values title={t('execution.inputs')} values={inputs} />
      <Values title={t('execution.outputs')} values={outputs} />
      <Values title={t('execution.variables')} values={variables} />
      <Values title={t('execution.trigger')} values={trigger && { ...trigger }} />
    </div>
  );
}

function Values({ title, values }: { title: string; values: Record<string, unknown> | undefined }) {
  if (!values || Object.keys(values).length === 0) return null;
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      <ValueTree values={values} />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
