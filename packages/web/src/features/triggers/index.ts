export { BackfillDialog } from './components/BackfillDialog.tsx';
export { TriggerList } from './components/TriggerList.tsx';
export { TriggerSwitch } from './components/TriggerSwitch.tsx';
export { triggersQuery } from './queries.ts';
