import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconLayoutGrid } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';

type Props = ActionIconProps & Omit<ComponentPropsWithRef<'a'>, keyof ActionIconProps>;

const LinkIcon = createLink((props: Props) => <ActionIcon component="a" {...props} />);

interface GridLinkProps {
  of: { namespace: string; flowId?: string } | undefined;
  filters: Record<string, unknown>;
}

/** Leads from the executions of one flow to its grid. */
export function GridLink({ of, filters }: GridLinkProps) {
  const { t } = useTranslation();
  const namespace = of?.namespace ?? filters.namespace;
  const flowId = of?.flowId ?? filters.flowId;
  if (typeof namespace !== 'string' || typeof flowId !== 'string') return null;
  return (
    <Hint label={t('flow.tab.grid')}>
      <LinkIcon
        variant="default"
        size={34}
        aria-label={t('flow.tab.grid')}
        to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
        params={{ namespace, id: flowId, tab: 'grid' }}
        search={{}}
      >
        <IconLayoutGrid size={16} stroke={1.7} />
      </LinkIcon>
    </Hint>
  );
}
