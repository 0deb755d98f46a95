import type { Flow } from '@millrace/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, LinkButton } from '../../../ui/index.ts';
import { CalendarBoard } from '../../calendar/index.ts';

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

/** What this flow ran and what it runs next. */
export function FlowCalendar({ flow: { namespace, id } }: { flow: Flow }) {
  const { t } = useTranslation();
  const { period, date } = useSearch({ from });
  const navigate = useNavigate({ from });
  return (
    <CalendarBoard
      view={period}
      date={date}
      namespace={namespace}
      flowId={id}
      onGo={({ view, ...place }) =>
        void navigate({ to: '.', search: (old) => ({ ...old, ...place, ...(view && { period: view }) }) })
      }
      empty={
        <EmptyState
          illustration="stillWater"
          title={t('calendar.none')}
          text={t('calendar.noneOfFlow')}
          action={
            <LinkButton to={from} params={{ namespace, id, tab: 'edit' }} search={{}} variant="default">
              {t('flow.edit')}
            </LinkButton>
          }
        />
      }
    />
  );
}
