import { type Flow, flowParts } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import {
  BrokenPart,
  EmptyState,
  ListFilters,
  Loading,
  NothingMatches,
  Page,
  Pager,
  useLastPage,
  useListView,
} from '../../../ui/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import { FlowLink } from '../FlowLink.tsx';
import styles from './FlowSourceSearchPage.module.css';

/** Finds flows by what their sources say. */
export function FlowSourceSearchPage() {
  const { t } = useTranslation();
  const fields = useFilterFields('flow', {
    prominent: ['namespace'],
    without: ['flowId', 'scope', 'labels'],
  }).map(
    // The search of sources knows one way to ask for a namespace.
    (field) => ({ ...field, operations: [field.plain.operation] }),
  );
  const view = useListView({ fields, defaultSort: 'id:asc' });
  const { q } = view;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['flows', currentTenant(), 'source', view.query],
    queryFn: ({ signal }) => call(flowParts.searchFlowSources, { query: { ...view.query }, signal }),
    enabled: q !== undefined,
    placeholderData: keepPreviousData,
  });
  useLastPage(view, data);
  return (
    <Page
      title={t('flowSearch.title')}
      breadcrumb={[
        <Link key="flows" to="/{-$tenant}/flows" search={{}}>
          {t('nav.flows')}
        </Link>,
      ]}
    >
      <ListFilters name="flow-sources" view={view} placeholder={t('flowSearch.placeholder')} />
      {q === undefined && (
        <EmptyState illustration="sieve" title={t('flowSearch.begin')} text={t('flowSearch.beginText')} />
      )}
      {q !== undefined && !data && error && <BrokenPart error={error} onRetry={() => void refetch()} />}
      {q !== undefined && !data && isFetching && <Loading />}
      {q !== undefined && data?.total === 0 && <NothingMatches onClear={view.clear} />}
      {q !== undefined && data && data.total > 0 && (
        <>
          <ul className={styles.hits} aria-label={t('flowSearch.hits')}>
            {data.results.map(({ model, fragments }) => (
              <li key={`${model.namespace}.${model.id}`}>
                <SourceHit flow={model} fragments={fragments} />
              </li>
            ))}
          </ul>
          <Pager
            page={view.page}
            size={view.size}
            total={data.total}
            onPage={view.setPage}
            onSize={view.setSize}
          />
        </>
      )}
    </Page>
  );
}

/** A flow whose source matches, with the lines around each hit. The text stays text: only the marks are drawn. */
function SourceHit({ flow, fragments }: { flow: Flow; fragments: readonly string[] }) {
  return (
    <article className={styles.hit}>
      <header className={styles.head}>
        <FlowLink namespace={flow.namespace} id={flow.id} tab="edit" className={styles.link}>
          <span className={styles.namespace}>{flow.namespace}</span> {flow.id}
        </FlowLink>
      </header>
      {fragments.map((fragment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fragments have no identity besides their place.
        <pre key={index} className={styles.fragment}>
          {splitMarks(fragment).map(({ text, isMarked }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order.
            isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </pre>
      ))}
    </article>
  );
}

interface Part {
  text: string;
  isMarked: boolean;
}

/** `a [mark]b[/mark] c` as three parts. A mark that never ends is plain text. */
function splitMarks(fragment: string): Part[] {
  return fragment
    .split(/\[mark\](.*?)\[\/mark\]/s)
    .map((text, index) => ({ text, isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
