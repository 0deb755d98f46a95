export * from './port/op.ts';
export * from './port/store.ts';
