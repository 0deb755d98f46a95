export * from './catalogue.ts';
export { shortType } from './flow/typeName.ts';
export type * from './run/effect.ts';
export type * from './run/event.ts';
