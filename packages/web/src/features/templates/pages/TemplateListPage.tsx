import type { Template } from '@millrace/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Column,
  EmptyState,
  LinkButton,
  Page,
  ResourceList,
  useListView,
  WarningMark,
} from '../../../ui/index.ts';
import { useFilterFields } from '../../listing/index.ts';
import { ImportTemplates } from '../ImportTemplates.tsx';
import { templatesQuery } from '../queries.ts';
import { TemplateBulkActions } from '../TemplateBulkActions.tsx';
import { TemplateNotice } from '../TemplateNotice.tsx';
import styles from '../templates.module.css';

export function TemplateListPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fields = useFilterFields('template', { prominent: ['namespace'] });
  const view = useListView({ fields, defaultSort: 'id:asc' });
  const query = useQuery(templatesQuery(view.query));
  const columns = useMemo<Column<Template>[]>(
    () => [
      {
        id: 'id',
        header: t('flow.id'),
        cell: ({ namespace, id, exception }) => (
          <span className={styles.marked}>
            <Link
              to="/{-$tenant}/templates/edit/$namespace/$id"
              params={{ namespace, id }}
              className={styles.id}
            >
              {id}
            </Link>
            {exception !== undefined && <WarningMark label={exception} />}
          </span>
        ),
        sortField: 'id',
        identifies: true,
      },
      {
        id: 'namespace',
        header: t('flow.namespace'),
        cell: ({ namespace }) => <span className={styles.quiet}>{namespace}</span>,
        sortField: 'namespace',
      },
      {
        id: 'description',
        header: t('flow.description'),
        cell: ({ description }) => <span className={styles.quiet}>{description}</span>,
        hideBelow: 'md',
      },
    ],
    [t],
  );
  const create = (
    <LinkButton to="/{-$tenant}/templates/new" leftSection={<IconPlus size={16} />}>
      {t('template.create')}
    </LinkButton>
  );
  return (
    <Page
      title={t('nav.templates')}
      actions={
        <>
          <ImportTemplates />
          {create}
        </>
      }
    >
      <TemplateNotice />
      <ResourceList
        name="templates"
        label={t('nav.templates')}
        placeholder={t('template.search')}
        view={view}
        columns={columns}
        query={query}
        rowId={({ namespace, id }) => `${namespace}.${id}`}
        onOpen={({ namespace, id }) =>
          void navigate({ to: '/{-$tenant}/templates/edit/$namespace/$id', params: { namespace, id } })
        }
        bulkActions={(selection, clear) => (
          <TemplateBulkActions selection={selection} filters={view.filters} onDone={clear} />
        )}
        empty={
          <EmptyState
            illustration="wheel"
            title={t('template.none')}
            text={t('template.noneText')}
            action={create}
          />
        }
      />
    </Page>
  );
}
