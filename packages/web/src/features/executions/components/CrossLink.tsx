import { FlowLink } from '../../flows/index.ts';
import { ExecutionLink } from './ExecutionLink.tsx';

/** What is needed to name an execution somewhere else. */
export interface ExecutionReference {
  id: string;
  namespace: string;
  flowId: string;
}

/** Another execution and the flow that it ran. */
export function CrossLink({ id, namespace, flowId }: ExecutionReference) {
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
