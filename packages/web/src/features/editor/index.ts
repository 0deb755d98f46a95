import { beginMonaco } from '../../ui/code/loadMonaco.ts';
import { firstView } from './editorView.ts';

export { FlowEditor } from './FlowEditor.tsx';

// Whoever loads this module is about to show the editor: its large part starts now and not after the first render.
if (firstView() === 'YAML') beginMonaco();
