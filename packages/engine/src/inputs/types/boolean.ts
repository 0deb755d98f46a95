import { asText, type InputRule } from './inputRule.ts';

/** "true" in upper or lower case is true; every other text is false, for compatibility. */
export const boolean: InputRule = (value) => ({ value: asText(value).trim().toLowerCase() === 'true' });
