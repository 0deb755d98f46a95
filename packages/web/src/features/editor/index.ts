import { preloadMonaco } from '../../ui/code/loadMonaco.ts';
import { firstView } from './ViewSwitch.tsx';

export { FlowEditor } from './FlowEditor.tsx';
export { keepLayoutOfNewFlow } from './useEditorPanels.tsx';
export { pageOf } from './useEditorPlace.ts';
export { FLOW_PATH } from './useFlowSchema.ts';

// A module that imports this is about to show the editor, so Monaco starts to load now and not after the first render.
if (firstView() === 'YAML') preloadMonaco();
