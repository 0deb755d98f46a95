export * from './catalogue.ts';
export { allTasks, type ChildList, childLists, findTask } from './flow/children.ts';
export { type ControlType, controlTypeOf, controlTypes } from './flow/controlType.ts';
export { shortType } from './flow/typeName.ts';
export type * from './run/effect.ts';
export type * from './run/event.ts';
