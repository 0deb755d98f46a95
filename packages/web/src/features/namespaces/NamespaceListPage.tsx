import { namespaces } from '@millrace/contract';
import { IconFolder } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import {
  BrokenPart,
  EmptyState,
  LinkButton,
  ListFilters,
  Loading,
  NothingMatches,
  Page,
  useListView,
} from '../../ui/index.ts';
import styles from './NamespaceListPage.module.css';

const noFields: never[] = [];
const everyRow = 10_000;

export function NamespaceListPage() {
  const { t } = useTranslation();
  const { systemNamespace } = useConfiguration();
  const view = useListView({ fields: noFields, defaultSort: 'id:asc' });
  const { q } = view;
  const { data, error, refetch } = useQuery({
    queryKey: ['namespaces', currentTenant(), 'search', q],
    queryFn: ({ signal }) =>
      call(namespaces.searchNamespaces, {
        query: { q, size: everyRow, sort: 'id:asc', existing: false },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const ids = data?.results.map(({ id }) => id) ?? [];
  return (
    <Page title={t('nav.namespaces')}>
      <ListFilters name="namespaces" view={view} placeholder={t('namespace.search')} />
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && ids.length === 0 && q !== undefined && <NothingMatches onClear={view.clear} />}
      {data && ids.length === 0 && q === undefined && (
        <EmptyState
          illustration="wheel"
          title={t('namespace.none')}
          text={t('namespace.noneText')}
          action={
            <LinkButton to="/{-$tenant}/flows/new" search={{}}>
              {t('flow.createFirst')}
            </LinkButton>
          }
        />
      )}
      <div className={styles.forest}>
        {namespaceTree(ids, systemNamespace).map((root) => (
          <section key={root.id} className={styles.tree} aria-label={root.id}>
            <NamespaceTree nodes={[root]} systemNamespace={systemNamespace} />
          </section>
        ))}
      </div>
    </Page>
  );
}

interface NamespaceTreeProps {
  nodes: readonly NamespaceNode[];
  systemNamespace: string;
}

function NamespaceTree({ nodes, systemNamespace }: NamespaceTreeProps) {
  const { t } = useTranslation();
  return (
    <ul className={styles.level}>
      {nodes.map(({ id, name, isUsed, children }) => (
        <li key={id}>
          <Link
            to="/{-$tenant}/namespaces/edit/$id/{-$tab}"
            params={{ id, tab: undefined }}
            search={{}}
            className={styles.row}
            data-used={isUsed || undefined}
            title={id}
          >
            <IconFolder size={16} stroke={1.6} aria-hidden="true" />
            <span className={styles.name}>{name}</span>
            {id === systemNamespace && <span className={styles.tag}>{t('namespace.system')}</span>}
          </Link>
          {children.length > 0 && <NamespaceTree nodes={children} systemNamespace={systemNamespace} />}
        </li>
      ))}
    </ul>
  );
}

interface NamespaceNode {
  id: string;
  /** The last part of the id. */
  name: string;
  /** Holds something itself, and not only other namespaces. */
  isUsed: boolean;
  children: NamespaceNode[];
}

/** Namespaces as a forest. Parents that hold nothing themselves are there too; the system's own tree comes first. */
export function namespaceTree(ids: readonly string[], systemNamespace: string): NamespaceNode[] {
  const nodes = new Map<string, NamespaceNode>();
  const roots: NamespaceNode[] = [];
  const nodeOf = (id: string): NamespaceNode => {
    const known = nodes.get(id);
    if (known) return known;
    const dot = id.lastIndexOf('.');
    const node: NamespaceNode = { id, name: id.slice(dot + 1), isUsed: false, children: [] };
    nodes.set(id, node);
    (dot < 0 ? roots : nodeOf(id.slice(0, dot)).children).push(node);
    return node;
  };
  for (const id of [...ids].sort()) nodeOf(id).isUsed = true;
  return roots.sort(
    (a, b) => Number(b.id === systemNamespace) - Number(a.id === systemNamespace) || a.id.localeCompare(b.id),
  );
}
