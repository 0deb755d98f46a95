import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface FlowLinkProps {
  namespace: string;
  id: string;
  tab?: string | undefined;
  children?: ReactNode;
  className?: string | undefined;
}

export function FlowLink({ namespace, id, tab, children = id, className }: FlowLinkProps) {
  return (
    <Link
      to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
      params={{ namespace, id, tab }}
      search={{}}
      className={className}
    >
      {children}
    </Link>
  );
}
