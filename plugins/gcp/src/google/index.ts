export * from './client.ts';
export * from './credentials.ts';
export * from './define.ts';
export * from './json.ts';
export * from './upload.ts';
export * from './wait.ts';
