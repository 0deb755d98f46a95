import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { BrokenPart } from '../../../ui/ErrorBoundary.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { useDocPlace } from '../DocContext.tsx';
import { Operation } from './Operation.tsx';
import { groupsOf, OpenApi } from './openApi.ts';
import { resourceUrl } from './resource.ts';
import styles from './widgets.module.css';

/** The calls of the API, to read only: nothing to sign in with, no server to choose, nothing to send. */
export function ApiViewer({ spec }: { spec: 'oss' | 'enterprise' }) {
  const { t } = useTranslation();
  const { version } = useDocPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', version, 'api', spec],
    queryFn: async ({ signal }) => {
      const response = await fetch(resourceUrl(version, `${spec}.json`), { signal });
      if (!response.ok) throw new Error(t('docs.noApi', { status: response.status }));
      return OpenApi.parse(await response.json());
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <section className={styles.api} aria-label={data.info.title}>
      {groupsOf(data).map(({ tag, operations }) => (
        <details key={tag}>
          <summary>
            {tag} ({operations.length})
          </summary>
          {operations.map((operation) => (
            <Operation key={`${operation.method} ${operation.path}`} operation={operation} />
          ))}
        </details>
      ))}
    </section>
  );
}
