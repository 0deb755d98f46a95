import type { Issue } from '@millrace/contract';
import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../ui/lazyPart.tsx';

/** The real one is loaded only for tests that ask for it: it brings forms, graph and documentation along. */
const RealFlowEditor = lazyPart(() => import('../../features/editor/FlowEditor.tsx'), 'FlowEditor');

/** Reset after each test. */
export const flowEditor: { isReal: boolean; issues: Issue[] | undefined } = {
  isReal: false,
  /** What the editor finds in any text. */
  issues: undefined,
};

/** A text area for the editor of flows. */
export function FlowEditor(props: ComponentProps<typeof RealFlowEditor>) {
  if (flowEditor.isReal)
    return (
      <Suspense>
        <RealFlowEditor {...props} />
      </Suspense>
    );
  return (
    <textarea
      aria-label="source"
      value={props.source}
      readOnly={props.readOnly}
      onChange={(event) => {
        props.onChange(event.target.value);
        if (flowEditor.issues) props.onIssues?.(flowEditor.issues);
      }}
    />
  );
}
