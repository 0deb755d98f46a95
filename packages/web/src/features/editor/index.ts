import { preloadMonaco } from '../../ui/code/loadMonaco.ts';
import { firstView } from './ViewSwitch.tsx';

export { FlowEditor } from './FlowEditor.tsx';
export { keepLayoutOfNewFlow } from './useEditorPanels.tsx';
export { FLOW_PATH } from './useFlowSchema.ts';
export { pageOf } from './ViewSwitch.tsx';

// A module that imports this is about to show the editor, so Monaco starts to load now and not after the first render.
if (firstView() === 'YAML') preloadMonaco();
