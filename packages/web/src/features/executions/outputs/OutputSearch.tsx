import { outputs } from '@millrace/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { formatNumber } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { BrokenPart } from '../../../ui/index.ts';
import styles from './OutputSearch.module.css';

const foundQuery = (executionId: string, q: string) =>
  queryOptions({
    queryKey: ['outputs', currentTenant(), executionId, 'search', q],
    queryFn: ({ signal }) =>
      call(outputs.searchOutputs, { params: { executionId }, query: { q }, signal, failures: 'handled' }),
    placeholderData: keepPreviousData,
  });

interface OutputSearchProps {
  executionId: string;
  q: string;
  selectedId: string | undefined;
  onSelect: (taskRunId: string) => void;
}

/** Values of all task runs that contain a text; the server searches, because the page may hold only some of the runs. */
export function OutputSearch({ executionId, q, selectedId, onSelect }: OutputSearchProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(foundQuery(executionId, q));
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { results, total } = data;
  return (
    <div className={styles.found}>
      <p className={styles.count} role="status">
        {results.length < total
          ? t('outputSearch.first', { shown: formatNumber(results.length), total: formatNumber(total) })
          : t('outputSearch.count', { total: formatNumber(total) })}
      </p>
      <ul className={styles.list}>
        {results.map(({ taskRunId, taskId, value, path, text }) => (
          <li key={`${taskRunId} ${path}`}>
            <button
              type="button"
              className={styles.hit}
              aria-pressed={taskRunId === selectedId}
              onClick={() => onSelect(taskRunId)}
            >
              <span className={styles.where}>
                {taskId}
                {value !== undefined && <span className={styles.value}> {value}</span>}
                <span className={styles.path}> {path}</span>
              </span>
              <code className={styles.text}>
                <Marked text={text} q={q} />
              </code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Marked({ text, q }: { text: string; q: string }) {
  const at = text.toLowerCase().indexOf(q.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + q.length)}</mark>
      {text.slice(at + q.length)}
    </>
  );
}
