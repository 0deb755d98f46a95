import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type EditorSide,
  type EditorView,
  firstSide,
  firstView,
  rememberSide,
  rememberView,
} from './ViewSwitch.tsx';

/** Names the page of a flow for the page that it was created on. */
export const pageOf = ({ namespace, id }: { readonly namespace: string; readonly id: string }): string =>
  `${namespace}/${id}`;

interface EditorSearch {
  readonly editor?: EditorView | undefined;
  readonly side?: EditorSide | undefined;
  readonly element?: string | undefined;
}

/**
 * How a flow is edited and what stands beside it: as the address says, else as it was chosen last. The form that is
 * open is in the address only.
 */
export function useEditorPlace() {
  const search: EditorSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [usual] = useState(() => ({ view: firstView(), side: firstSide() }));
  const keep = (part: EditorSearch, replace: boolean) =>
    // `as`: the editor is inside several routes, whose schemas know these three.
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...part })) as never, replace });
  return {
    view: search.editor ?? usual.view,
    side: search.side ?? usual.side,
    element: search.element,
    /** For now only: the next flow opens in the view that was chosen last. */
    show: (editor: EditorView) => keep({ editor }, true),
    choose: (editor: EditorView) => {
      rememberView(editor);
      keep({ editor }, true);
    },
    chooseSide: (side: EditorSide) => {
      rememberSide(side);
      keep({ side }, true);
    },
    /** A step deeper, so that going back comes out again. */
    openElement: (element: string | undefined) => keep({ element }, false),
  };
}
