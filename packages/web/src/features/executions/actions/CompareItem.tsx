import { IconGitCompare } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { LinkMenuItem } from '../../../ui/LinkMenuItem.tsx';

/** Opens the comparison of an execution with the last successful run of its flow. */
export function CompareItem({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <LinkMenuItem
      to="/{-$tenant}/executions/compare"
      search={{ right: id }}
      leftSection={<IconGitCompare size={15} stroke={1.7} />}
    >
      {t('compare.open')}
    </LinkMenuItem>
  );
}
