import { asText, type InputRule } from './inputRule.ts';

/** "true" in any case of letters is true; every other text is false, as it always was. */
export const boolean: InputRule = (value) => ({ value: asText(value).trim().toLowerCase() === 'true' });
