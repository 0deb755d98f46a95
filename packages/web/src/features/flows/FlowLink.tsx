import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSetting } from '../../storage/settings.ts';

interface FlowLinkProps {
  namespace: string;
  id: string;
  tab?: string | undefined;
  children?: ReactNode;
  className?: string | undefined;
}

export function FlowLink({ namespace, id, tab, children = id, className }: FlowLinkProps) {
  const usualTab = useSetting('flowTab');
  return (
    <Link
      to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
      params={{ namespace, id, tab: tab ?? (usualTab === 'overview' ? undefined : usualTab) }}
      search={{}}
      className={className}
    >
      {children}
    </Link>
  );
}
