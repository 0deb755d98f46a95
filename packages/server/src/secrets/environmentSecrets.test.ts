import { describe, expect, it } from 'vitest';
import { readEnvs, readSecrets } from './environmentSecrets.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('readSecrets (engine 9.5)', () => {
  it('finds secrets by name, whatever the case', () => {
    const { secrets } = readSecrets({ SECRET_API_KEY: base64('hüsh'), OTHER: 'x' });
    expect(secrets.find('api_key')).toBe('hüsh');
    expect(secrets.find('OTHER')).toBeUndefined();
  });

  it('ignores line breaks and reports what is no base64', () => {
    const { secrets, unusable } = readSecrets({ SECRET_A: `${base64('aaaa')}\n`, SECRET_B: 'not base64!' });
    expect(secrets.find('A')).toBe('aaaa');
    expect(unusable).toEqual(['SECRET_B']);
  });

  it('reads what expressions see as envs', () => {
    expect(readEnvs({ ENV_CITY: 'Rome', PATH: '/bin' })).toEqual({ city: 'Rome' });
  });
});
