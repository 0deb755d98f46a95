export { type LanguageClient, language } from './languageClient.ts';
