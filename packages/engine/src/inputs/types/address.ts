import { asText, expected, type InputRule } from './inputRule.ts';

/** A lower-case scheme, two slashes, a host with a point in it, and whatever follows. */
const uriPattern = /^[a-z]+:\/\/[^\s/?#.]+(?:\.[^\s/?#.]+)+(?:[/?#]\S*)?$/;

export const uri: InputRule = (value) => {
  const text = asText(value);
  return uriPattern.test(text) ? { value: text } : expected('URI');
};

const emailPattern = /^[\w!#$%&'*+/=?`{|}~^.-]+@[a-zA-Z0-9.-]+$/;

export const email: InputRule = (value) => {
  const text = asText(value);
  return text === '' || emailPattern.test(text) ? { value: text } : expected('EMAIL');
};

const storagePattern = /^(?:(?:millrace|kestra):\/\/\/|nsfile:\/\/[\w.-]*\/)/;

/** A file that is already in internal storage, or a file of a namespace. Callers must not read paths on the server's disk. */
export const file: InputRule = (value) => {
  const text = asText(value);
  if (!storagePattern.test(text) || text.split('/').includes('..')) return expected('FILE');
  return { value: text };
};
