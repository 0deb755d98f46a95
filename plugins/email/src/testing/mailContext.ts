import { createOutboundClient, type ExecutionFacts } from '@millrace/plugin-kit';
import { aTaskContext, type TestContext } from '@millrace/plugin-kit/testing';
import { onTestFinished } from 'vitest';

const execution: ExecutionFacts = {
  id: '5cBZ1JF8kim8fbFg13bumX',
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'orders',
  state: 'FAILED',
  startDate: '2026-01-31T08:00:00.000Z',
  endDate: '2026-01-31T08:01:05.250Z',
  labels: [],
  link: 'https://millrace.example.com/main/executions/company.team/orders/5cBZ1JF8kim8fbFg13bumX',
  failedTaskId: 'load',
};

/** A context with a real network. */
export function aMailContext(memory?: unknown): TestContext {
  const client = createOutboundClient({});
  onTestFinished(() => client.close());
  return aTaskContext({
    connect: client.connect,
    lookup: client.lookup,
    actions: { findExecution: async () => execution },
    ...(memory !== undefined && { memory }),
  });
}

export const aMail = (subject: string, more = ''): string => `From: Ada Lovelace <ada@example.com>
To: team@example.com, "Hopper, Grace" <grace@example.com>
Cc: copy@example.com
Subject: ${subject}
Date: Sat, 31 Jan 2026 08:00:00 +0000
Message-ID: <${subject}@example.com>
MIME-Version: 1.0
${
  more ||
  `Content-Type: text/plain; charset=utf-8

Hello from ${subject}`
}
`;
