import type { Check } from './check.ts';

const least = [20, 19];

export const checkRuntime: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > (least[0] ?? 0) || (major === least[0] && minor >= (least[1] ?? 0));
  return [
    {
      check: 'runtime',
      status: isNew ? 'ok' : 'failed',
      message: `Node ${process.versions.node} on ${process.platform}, ${isNew ? '' : `but ${least.join('.')} or newer is needed, `}time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`,
    },
  ];
};
