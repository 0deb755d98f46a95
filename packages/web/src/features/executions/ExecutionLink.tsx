import type { Execution } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FlowLink } from '../flows/index.ts';

interface ExecutionLinkProps {
  namespace: string;
  flowId: string;
  id: string;
  tab?: string | undefined;
  taskRunId?: string | undefined;
  /** What to search in the log. */
  q?: string | undefined;
  children?: ReactNode;
  className?: string | undefined;
}

export function ExecutionLink(props: ExecutionLinkProps) {
  const { namespace, flowId, id, tab, taskRunId, q, children = id, className } = props;
  return (
    <Link
      to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
      params={{ namespace, flowId, id, tab }}
      search={{ taskRunId, q }}
      className={className}
    >
      {children}
    </Link>
  );
}

/** What is needed to name an execution somewhere else. */
export interface ExecutionReference {
  id: string;
  namespace: string;
  flowId: string;
}

/** Another execution and the flow that it ran. */
export function ExecutionReferenceLink({ id, namespace, flowId }: ExecutionReference) {
  return (
    <>
      <ExecutionLink id={id} namespace={namespace} flowId={flowId}>
        <code>{id}</code>
      </ExecutionLink>{' '}
      <FlowLink namespace={namespace} id={flowId}>
        {namespace}.{flowId}
      </FlowLink>
    </>
  );
}

/** The execution that started this one, as a subflow or by its end: what the trigger tells of it. */
export function parentOf({ trigger }: Execution): ExecutionReference | undefined {
  const { executionId, namespace, flowId } = trigger?.variables ?? {};
  return typeof executionId === 'string' && typeof namespace === 'string' && typeof flowId === 'string'
    ? { id: executionId, namespace, flowId }
    : undefined;
}
