export { executionValues } from './executionValues.ts';
export { type LanguageClient, language } from './languageClient.ts';
export { useCompletions } from './useCompletions.ts';
