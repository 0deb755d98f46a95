import { describe, expect, test } from 'vitest';
import { createOutboundRules, embeddedIpv4 } from './policy.ts';

const refuses = (address: string, policy = {}) =>
  createOutboundRules(policy).refuseAddress(address, 'a.host') !== undefined;

describe('[A30] by default only metadata addresses are refused', () => {
  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'FD00:EC2::254',
    '100.100.100.200',
    '168.63.129.16',
  ])('%s', (address) => expect(refuses(address)).toBe(true));

  test.each(['127.0.0.1', '::1', '10.0.0.1', '93.184.216.34', '2606:2800:220:1::1'])('not %s', (address) =>
    expect(refuses(address)).toBe(false),
  );
});

test.each([
  '127.0.0.1',
  '127.1.2.3',
  '::1',
  '::',
  '0.0.0.0',
  '10.1.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  'fc00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::',
])('[A30] private networks can be refused: %s', (address) =>
  expect(refuses(address, { denyPrivate: true })).toBe(true),
);

test('[A30] hosts and networks can be refused and allowed', () => {
  const rules = createOutboundRules({
    deny: ['*.internal', '10.0.0.0/8'],
    allow: ['ok.internal', '10.0.0.5'],
  });
  expect(rules.refuseHost('db.internal')).toContain('not allowed');
  expect(rules.refuseHost('DB.Internal.')).toContain('not allowed');
  expect(rules.refuseHost('ok.internal')).toBeUndefined();
  expect(rules.refuseHost('notinternal')).toBeUndefined();
  expect(rules.refuseAddress('10.0.0.4', 'x')).toContain('leads to 10.0.0.4');
  expect(rules.refuseAddress('10.0.0.5', 'x')).toBeUndefined();
  expect(rules.refuseAddress('10.0.0.4', 'ok.internal')).toBeUndefined();
});

test.each([
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::ffff:0:1.2.3.4', '1.2.3.4'],
  ['0:0:0:0:0:ffff:102:304', '1.2.3.4'],
  ['64:ff9b::102:304', '1.2.3.4'],
  ['2002:102:304::', '1.2.3.4'],
  ['2001:db8::1', undefined],
  ['1.2.3.4', undefined],
])('%s carries %s', (address, inside) => {
  expect(embeddedIpv4(address)).toBe(inside);
});
