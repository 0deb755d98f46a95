import { AppError } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/load.ts';
import { describeFailure } from './describeFailure.ts';

const coded = (code: string, path?: string) =>
  Object.assign(new Error('raw'), { code, ...(path ? { path } : {}) });

describe('describeFailure', () => {
  it.each([
    [new ConfigError('The port is wrong.'), 'The port is wrong.'],
    [new AppError('illegal-state', 'In use.'), 'In use.'],
    [coded('EROFS', '/data'), 'The data folder cannot be written (/data); choose another one with --data.'],
    [coded('ENOTDIR', '/a/b'), 'The data folder cannot be made: /a/b is a file.'],
    [coded('ECONNREFUSED'), 'The database cannot be reached (ECONNREFUSED).'],
    [coded('28P01'), 'The database refuses the connection: raw.'],
  ])('says in one sentence what is wrong: %s', (error, sentence) => {
    expect(describeFailure(error)).toBe(sentence);
  });

  it('shows where a bug comes from', () => {
    expect(describeFailure(new TypeError('oops'))).toMatch(/oops[\s\S]*describeFailure\.test/);
  });
});
