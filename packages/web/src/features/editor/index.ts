import { loadMonaco } from '../../ui/code/index.ts';
import { firstView } from './editorView.ts';

export { FlowEditor } from './FlowEditor.tsx';

// Whoever loads this module is about to show the editor: its large part starts now and not after the first render.
// Without workers, as in a test, there is nothing to start.
if (typeof Worker !== 'undefined' && firstView() === 'YAML') loadMonaco().catch(() => {});
