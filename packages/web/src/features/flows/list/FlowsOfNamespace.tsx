import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, LinkButton } from '../../../ui/index.ts';
import { FlowList } from './FlowList.tsx';

export function FlowsOfNamespace({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  return (
    <FlowList
      name="namespace-flows"
      namespace={namespace}
      empty={
        <EmptyState
          illustration="wheel"
          title={t('flow.none')}
          text={t('flow.noneText')}
          action={
            <LinkButton to="/{-$tenant}/flows/new" search={{ namespace }}>
              {t('flow.create')}
            </LinkButton>
          }
        />
      }
    />
  );
}
