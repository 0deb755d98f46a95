import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Fact, StatePill } from '../../../ui/index.ts';
import { ExecutionLink } from '../ExecutionLink.tsx';
import { forkLabel, forksQuery } from '../queries.ts';
import styles from './ExecutionOverview.module.css';

/** Where a fork comes from, and the forks of an execution. */
export function ForkFacts({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const origin = originOf(execution);
  const mayHaveForks = execution.labels.some(({ key }) => key === 'system.replayed');
  const { data } = useQuery({ ...forksQuery(execution.id), enabled: mayHaveForks });
  const forks = data?.results ?? [];
  return (
    <>
      {origin !== undefined && (
        <Fact name={t('fork.origin')}>
          <ExecutionLink namespace={execution.namespace} flowId={execution.flowId} id={origin} />
        </Fact>
      )}
      {forks.length > 0 && (
        <Fact name={t('fork.forks')}>
          <ul className={styles.forks}>
            {forks.map((one) => (
              <li key={one.id}>
                <ExecutionLink {...one}>
                  <code>{one.id}</code>
                </ExecutionLink>
                <StatePill state={one.state.current} size="sm" />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </>
  );
}

/** The execution that this one was forked from. */
export const originOf = ({ labels }: Execution): string | undefined =>
  labels.find(({ key }) => key === forkLabel)?.value;
