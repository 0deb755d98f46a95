import { lazyPart, Nothing } from '../../ui/lazyPart.tsx';

export { ExecutionLink } from './ExecutionLink.tsx';
export { isHalfFilled, LabelRows } from './execute/LabelRows.tsx';
export { fileNameOf, isStorageUri } from './files/storageFile.ts';
export { InputFields } from './inputs/InputFields.tsx';
export { type InputValues, initialValues } from './inputs/inputValues.ts';
export { stateColumn, timeColumns } from './list/runColumns.tsx';
export { errorLogsQuery, executionSourceQuery, executionsQuery } from './queries.ts';
export { executionListSearch } from './search.ts';

export const ExecuteDialog = lazyPart(() => import('./execute/ExecuteDialog.tsx'), 'ExecuteDialog', Nothing);
export const ExecutionsOfFlow = lazyPart(() => import('./list/ExecutionListPage.tsx'), 'ExecutionsOfFlow');
export const LastRuns = lazyPart(() => import('./list/LastRuns.tsx'), 'LastRuns');

export const ExecutionsOfNamespace = lazyPart(() => import('./list/ExecutionList.tsx'), 'ExecutionList');
