import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { retentionRules } from './retentionRules.ts';

const day = 86_400_000;
const rulesOf = (yaml: Record<string, unknown>) =>
  retentionRules(loadConfig({ env: {}, flags: { retention: yaml } }).config.retention);

describe('retentionRules', () => {
  it('keep ninety days unless told otherwise', () => {
    expect(rulesOf({})).toEqual([{ except: [], keepMs: 90 * day }]);
  });

  it('take the closest setting and spare what is kept forever', () => {
    const namespaces = { company: 'P7D', 'company.audit': 'forever', 'company.audit.raw': 'PT12H' };
    expect(rulesOf({ keep: 'P30D', namespaces })).toEqual([
      { except: ['company', 'company.audit', 'company.audit.raw'], keepMs: 30 * day },
      { within: 'company', except: ['company.audit', 'company.audit.raw'], keepMs: 7 * day },
      { within: 'company.audit.raw', except: [], keepMs: day / 2 },
    ]);
  });

  it('are none when everything is kept', () => {
    expect(rulesOf({ keep: 'forever' })).toEqual([]);
  });

  it.each(['P1Y', '-P1D', 'PT0S', 'soon'])('refuse %s', (keep) => {
    expect(() => rulesOf({ keep })).toThrow(/retention\.keep: must be a duration such as P90D, or forever/);
  });
});
