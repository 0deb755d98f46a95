import type { Example } from '@millrace/plugin-kit';

/** A complete flow around one task. */
export const redisExample = (type: string, title: string, lines: readonly string[]): Example => ({
  title,
  runs: false,
  code: `id: redis_${type.replaceAll('.', '_').toLowerCase()}
namespace: company.team

tasks:
  - id: run
    type: redis.${type}
    url: "redis://:{{ secret('REDIS_PASSWORD') }}@redis.example.com:6379/0"
${lines.map((line) => `    ${line}`).join('\n')}
`,
});
