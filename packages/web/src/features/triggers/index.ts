export { BackfillDialog } from './BackfillDialog.tsx';
export { NextRun, nextDateOf } from './NextRun.tsx';
export { triggersQuery } from './queries.ts';
export { TriggerList } from './TriggerList.tsx';
export { TriggerSwitch } from './TriggerSwitch.tsx';
