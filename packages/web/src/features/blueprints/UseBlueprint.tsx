import { useTranslation } from '../../i18n/useTranslation.ts';
import { LinkButton } from '../../ui/index.ts';

interface UseBlueprintProps {
  id: string;
  kind: string;
  isQuiet?: boolean;
}

/** Leads to a new flow, or a new dashboard, with the source of the blueprint in it. */
export function UseBlueprint({ id, kind, isQuiet = false }: UseBlueprintProps) {
  const { t } = useTranslation();
  const look = isQuiet ? ({ variant: 'default', size: 'compact-sm' } as const) : {};
  return kind === 'dashboard' ? (
    <LinkButton to="/{-$tenant}/dashboards/new" search={{ blueprintId: id }} {...look}>
      {t('blueprint.use')}
    </LinkButton>
  ) : (
    <LinkButton
      to="/{-$tenant}/flows/new"
      search={{ blueprintId: id, blueprintSource: 'community' }}
      {...look}
    >
      {t('blueprint.use')}
    </LinkButton>
  );
}
