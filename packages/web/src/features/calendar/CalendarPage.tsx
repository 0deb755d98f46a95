import { Select } from '@mantine/core';
import type { Calendar } from '@millrace/contract';
import { IconAdjustments } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, LinkButton, Page } from '../../ui/index.ts';
import { NamespaceSelect } from '../flows/index.ts';
import { CalendarBoard } from './CalendarBoard.tsx';
import styles from './calendar.module.css';

const from = '/{-$tenant}/calendar';

/** What ran and what runs next, by day, week and month. */
export function CalendarPage() {
  const { t } = useTranslation();
  const { view, date, namespace, flowId } = useSearch({ from });
  const navigate = useNavigate({ from });
  const narrow = (next: { namespace: string | undefined; flowId: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }) });
  return (
    <Page
      title={t('nav.calendar')}
      actions={
        <LinkButton
          to="/{-$tenant}/admin/triggers"
          search={{ namespace, flowId }}
          variant="default"
          leftSection={<IconAdjustments size={16} />}
        >
          {t('nav.triggers')}
        </LinkButton>
      }
    >
      <CalendarBoard
        view={view}
        date={date}
        namespace={namespace}
        flowId={flowId}
        onGo={(next) => void navigate({ search: (old) => ({ ...old, ...next }) })}
        filters={(data) => (
          <>
            <NamespaceSelect
              value={namespace}
              onChange={(next) => narrow({ namespace: next, flowId: undefined })}
            />
            <FlowSelect data={data} namespace={namespace} flowId={flowId} onChange={narrow} />
          </>
        )}
        empty={
          <EmptyState
            illustration="stillWater"
            title={t('calendar.none')}
            text={t('calendar.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows" search={{}} variant="default">
                {t('trigger.toFlows')}
              </LinkButton>
            }
          />
        }
      />
    </Page>
  );
}

interface FlowSelectProps {
  readonly data: Calendar | undefined;
  readonly namespace: string | undefined;
  readonly flowId: string | undefined;
  onChange(next: { namespace: string | undefined; flowId: string | undefined }): void;
}

/** Offers the flows of the period. A flow is chosen with its namespace. */
function FlowSelect({ data, namespace, flowId, onChange }: FlowSelectProps) {
  const { t } = useTranslation();
  const chosen = namespace !== undefined && flowId !== undefined ? `${namespace}/${flowId}` : null;
  const known = (data?.flows ?? []).map((flow) => `${flow.namespace}/${flow.flowId}`);
  const options = [...new Set([...known, ...(chosen === null ? [] : [chosen])])];
  return (
    <Select
      className={styles.flows ?? ''}
      placeholder={t('calendar.allFlows')}
      aria-label={t('execution.flow')}
      data={options.map((value) => ({ value, label: value.replace('/', '.') }))}
      value={chosen}
      onChange={(next) => {
        const [inNamespace, id] = next?.split('/') ?? [];
        onChange({ namespace: inNamespace ?? namespace, flowId: id });
      }}
      searchable
      clearable
      nothingFoundMessage={t('filter.nothing')}
      maxDropdownHeight={320}
    />
  );
}
