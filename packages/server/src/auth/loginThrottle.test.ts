import { describe, expect, it } from 'vitest';
import { addressKey, LoginThrottle, passwordLimits, TooManyAttempts } from './loginThrottle.ts';

const aLimiter = (limits = {}) => {
  const time = { now: 1_000 };
  return { time, attempts: new LoginThrottle({ ...passwordLimits, ...limits }, () => time.now) };
};

/** How long the next attempt has to wait, in seconds. */
const waitOf = (attempt: () => void): number => {
  try {
    attempt();
    return 0;
  } catch (error) {
    if (error instanceof TooManyAttempts) return error.retryAfterSeconds;
    throw error;
  }
};

describe('LoginThrottle', () => {
  it('[A4] doubles the wait after five failures, up to five minutes', () => {
    const { attempts, time } = aLimiter();
    for (let n = 0; n < 5; n++) attempts.charge('a');
    const waits: number[] = [];
    for (let n = 0; n < 12; n++) {
      const wait = waitOf(() => attempts.charge('a'));
      waits.push(wait);
      time.now += wait * 1_000;
      attempts.charge('a');
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(waitOf(() => attempts.charge('b'))).toBe(0);
  });

  it('forgets failures after a success and after a long time', () => {
    const { attempts, time } = aLimiter();
    for (let n = 0; n < 5; n++) attempts.charge('a');
    attempts.succeed('a');
    for (let n = 0; n < 4; n++) attempts.charge('a');
    expect(attempts.waitMs('a')).toBe(0);
    attempts.charge('a');
    expect(attempts.waitMs('a')).toBe(1_000);
    time.now += 2 * 3_600_000;
    attempts.charge('a');
    expect(attempts.waitMs('a')).toBe(0);
  });

  it('takes back one charge and keeps the failures of others', () => {
    const { attempts } = aLimiter();
    for (let n = 0; n < 5; n++) attempts.charge('a');
    attempts.takeBack('a');
    expect([attempts.waitMs('a'), attempts.hasFailures('a')]).toEqual([0, true]);
    attempts.charge('a');
    expect(attempts.waitMs('a')).toBe(1_000);
    for (let n = 0; n < 5; n++) attempts.takeBack('a');
    expect([attempts.size, attempts.hasFailures('a')]).toEqual([0, false]);
  });

  it('[A4] remembers a bounded number of guessers', () => {
    const { attempts } = aLimiter({ maxKeys: 100 });
    for (let n = 0; n < 10_000; n++) attempts.fail(`10.0.${n >> 8}.${n & 255}`);
    expect(attempts.size).toBe(100);
  });
});

describe('addressKey', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is charged as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
