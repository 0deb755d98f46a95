export { BackfillDialog } from './BackfillDialog.tsx';
export { NextRun, nextDateOf, TriggerSwitch } from './cells.tsx';
export { triggersQuery } from './queries.ts';
export { TriggerList } from './TriggerList.tsx';
