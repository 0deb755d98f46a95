import type { Flow } from '@millrace/contract';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, LinkButton } from '../../../ui/index.ts';
import { TriggerList } from '../../triggers/index.ts';

/** The triggers of one flow with what they remember. */
export function FlowTriggers({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const { namespace, id } = flow;
  return (
    <TriggerList
      name="flow-triggers"
      of={{ namespace, flowId: id }}
      empty={
        <EmptyState
          illustration="wheel"
          title={t('flow.noTriggers')}
          text={t('flow.noTriggersText')}
          action={
            <LinkButton
              to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
              params={{ namespace, id, tab: 'edit' }}
              search={{}}
            >
              {t('flow.edit')}
            </LinkButton>
          }
        />
      }
    />
  );
}
