import { DocsPanel } from '../../features/docs/index.ts';
import { useConfiguration } from '../configuration.ts';
import panel from './ContextPanel.module.css';
import { openDocs, useContextState, useDocId } from './contextState.ts';

/** The documentation beside the page: the page that was asked for, else the one about this screen. */
export function DocsPanelHost() {
  const { docPath } = useContextState();
  return (
    <DocsPanel
      version={useConfiguration().version}
      docId={useDocId()}
      path={docPath}
      onOpen={openDocs}
      classNames={{ head: panel.head ?? '', body: panel.body ?? '' }}
    />
  );
}
