import { lazy } from 'react';

export { ExecuteDialog } from './components/ExecuteDialogLazy.tsx';
export { ExecutionLink } from './components/ExecutionLink.tsx';
export { InputFields } from './components/InputFields.tsx';
export { isHalfFilled, LabelRows } from './components/LabelRows.tsx';
export { stateColumn, timeColumns } from './components/runColumns.tsx';
export { type InputValues, initialValues } from './inputValues.ts';
export { errorLogsQuery, executionsQuery } from './queries.ts';

export const ExecutionsOfFlow = lazy(() =>
  import('./components/ExecutionsOfFlow.tsx').then((module) => ({ default: module.ExecutionsOfFlow })),
);
export const LastRuns = lazy(() =>
  import('./components/LastRuns.tsx').then((module) => ({ default: module.LastRuns })),
);
export { executionListSearch } from './search.ts';

export const ExecutionsOfNamespace = lazy(() =>
  import('./components/ExecutionList.tsx').then((module) => ({ default: module.ExecutionList })),
);
