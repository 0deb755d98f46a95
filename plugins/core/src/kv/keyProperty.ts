import { text } from '@millrace/plugin-kit';

const keyPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;

export const keyProperty = () =>
  text()
    .refine((key) => keyPattern.test(key), 'must be a key of letters, digits, ".", "-" and "_"')
    .describe('The key.');
