export * from './fakeGoogle.ts';
