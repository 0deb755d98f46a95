import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ExecutionLinkProps {
  namespace: string;
  flowId: string;
  id: string;
  tab?: string | undefined;
  taskRunId?: string | undefined;
  children?: ReactNode;
  className?: string | undefined;
}

export function ExecutionLink(props: ExecutionLinkProps) {
  const { namespace, flowId, id, tab, taskRunId, children = id, className } = props;
  return (
    <Link
      to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
      params={{ namespace, flowId, id, tab }}
      search={{ taskRunId }}
      className={className}
    >
      {children}
    </Link>
  );
}
