export * from './fakeBigQuery.ts';
export * from './fakeGoogle.ts';
export * from './fakeStorage.ts';
