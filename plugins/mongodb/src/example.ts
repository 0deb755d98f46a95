import type { Example } from '@millrace/plugin-kit';

/** A complete flow around one task. */
export const mongoExample = (
  type: string,
  title: string,
  lines: readonly string[],
  inputs?: string,
): Example => ({
  title,
  runs: false,
  code: `id: mongodb_${type.toLowerCase()}
namespace: company.team

${inputs === undefined ? '' : `inputs:\n${inputs}\n\n`}tasks:
  - id: run
    type: mongodb.${type}
    connection:
      uri: "mongodb://alice:{{ secret('MONGODB_PASSWORD') }}@mongodb.example.com:27017/?authSource=admin"
    database: shop
    collection: orders
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

export const fileInput = '  - id: file\n    type: FILE';
